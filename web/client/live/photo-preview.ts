import type { Client } from '../core/client-api.ts'

/** Shows the picture chosen in a `data-preview` field before it is sent; refuses at once what would be refused. */
export async function preview(
  { target }: Pick<Event, 'target'>,
  client: Pick<Client, 'show' | 'shown'>,
): Promise<void> {
  const input = target as HTMLInputElement
  if (!input.matches('input[data-preview]')) return
  const canvas = canvasOf(input)
  const file = input.files?.[0]
  const problem = file && (await draw(file, input, canvas))
  // Another was chosen meanwhile.
  if (input.files?.[0] !== file) return
  canvas.hidden = !file || problem !== undefined
  if (problem !== undefined) input.value = ''
  await setError(client, input.name, problem)
}

/** Shows what was chosen before anything listened for it. */
export function previewChosen(client: Pick<Client, 'show' | 'shown'>): void {
  for (const target of document.querySelectorAll<HTMLInputElement>('input[data-preview]'))
    if (target.files?.length) void preview({ target }, client)
}

/** Shows the present picture again as the form of a `data-preview` field is reset. */
export function clearPreview({ target }: Event): void {
  const inputs = (target as Element).querySelectorAll<HTMLInputElement>('input[data-preview]')
  for (const input of inputs) canvasOf(input).hidden = true
}

/** Draws the middle of a picture, or returns what is the matter with it. */
async function draw(
  file: File,
  { accept, dataset }: HTMLInputElement,
  canvas: HTMLCanvasElement,
): Promise<string | undefined> {
  const { most, tooLarge = '', wrongType = '' } = dataset
  const type = await typeOf(file)
  if (!type || !accept.split(/,\s*/).includes(type)) return wrongType
  if (file.size > Number(most)) return tooLarge
  // Not as the source of an image: the policy allows none that was not loaded from here.
  const picture = await createImageBitmap(file.slice(0, file.size, type)).catch(() => undefined)
  if (!picture) return wrongType
  const scale = Math.min(picture.width / canvas.width, picture.height / canvas.height)
  const [width, height] = [canvas.width * scale, canvas.height * scale]
  const [x, y] = [(picture.width - width) / 2, (picture.height - height) / 2]
  const pen = canvas.getContext('2d')
  pen?.clearRect(0, 0, canvas.width, canvas.height)
  pen?.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height)
  picture.close()
  return undefined
}

/** How a picture begins, by its type. */
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n\cZ\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/webp': /^RIFF[^]{4}WEBP/,
}

/** What a file is by its bytes, as the server tells it: its name may say anything. Undefined for any other file. */
async function typeOf(file: File): Promise<string | undefined> {
  const begins = await file
    .slice(0, 12)
    .arrayBuffer()
    .catch(() => new ArrayBuffer())
  const text = String.fromCharCode(...new Uint8Array(begins))
  return Object.keys(beginnings).find((type) => beginnings[type]?.test(text))
}

async function setError(
  { show, shown }: Pick<Client, 'show' | 'shown'>,
  field: string,
  error: string | undefined,
): Promise<void> {
  const page = shown()
  if (page.props.errors[field] === error) return
  const { [field]: _before, ...others } = page.props.errors
  const errors = error === undefined ? others : { ...others, [field]: error }
  await show({ ...page, props: { ...page.props, errors } }, { entry: 'same', at: 'stay' })
}

function canvasOf({ dataset }: HTMLInputElement): HTMLCanvasElement {
  const canvas = document.getElementById(dataset.preview ?? '')
  if (canvas instanceof HTMLCanvasElement) return canvas
  throw new Error(`There is no canvas ${dataset.preview} to show the picture in.`)
}
