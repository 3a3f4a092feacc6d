import { Crop, keep } from './crop.ts'
import { type Fault, readPicture, typeOf } from './picture.ts'
import { canDraw } from './sent-photo.ts'
import type { Client } from '../core/client-api.ts'

export type PhotoClient = Pick<Client, 'show' | 'shown'>

/** The open crops, by form. */
const crops = new WeakMap<HTMLFormElement, Crop>()

/**
 * Opens a crop for the file chosen in a field. If the file is refused, the field shows an error and returns
 * to the file cropped before, or none. Where the browser cannot redraw pictures, the file is sent as it is.
 */
export async function choose(input: HTMLInputElement, client: PhotoClient): Promise<void> {
  const { form } = input
  const file = input.files?.[0]
  if (!form?.isConnected) return
  const read = file && (await readFile(file, input))
  // Another file was chosen meanwhile, or the person has left the page.
  if (input.files?.[0] !== file || !form.isConnected)
    return typeof read === 'object' ? read.close() : undefined
  const before = crops.get(form)
  if (typeof read === 'object') {
    before?.close()
    crops.set(form, openCrop(form, { input, picture: read, client }))
  } else if (typeof read === 'string' || before) keep(input, before?.file)
  await setError(client, input.name, typeof read === 'string' ? wordsOf(read, input) : undefined)
}

/** Returns the picture to crop, the reason for refusing it, or undefined if it must be sent as it is. */
async function readFile(
  file: File,
  { accept, dataset }: HTMLInputElement,
): Promise<ImageBitmap | Fault | undefined> {
  const type = await typeOf(file)
  if (!type) return 'type'
  if (canDraw()) return readPicture(file, type)
  if (!accept.split(/,\s*/).includes(type)) return 'type'
  return file.size > Number(dataset.most) ? 'large' : undefined
}

function openCrop(
  form: HTMLFormElement,
  {
    input,
    picture,
    client,
  }: { input: HTMLInputElement; picture: ImageBitmap; client: PhotoClient },
): Crop {
  const canvas = document.getElementById(input.dataset.crop ?? '')
  if (!(canvas instanceof HTMLCanvasElement))
    throw new Error(`There is no canvas ${input.dataset.crop} to show the picture in.`)
  const ended = () => {
    crops.delete(form)
    void setError(client, input.name, undefined)
  }
  return new Crop({ form, input, canvas, picture, ended })
}

function wordsOf(fault: Fault, { dataset }: HTMLInputElement): string {
  const { tooLarge = '', tooWide = '', wrongType = '' } = dataset
  return { large: tooLarge, wide: tooWide, type: wrongType }[fault]
}

async function setError(
  { show, shown }: PhotoClient,
  field: string,
  error: string | undefined,
): Promise<void> {
  const page = shown()
  if (page.props.errors[field] === error) return
  const { [field]: _before, ...others } = page.props.errors
  const errors = error === undefined ? others : { ...others, [field]: error }
  await show({ ...page, props: { ...page.props, errors } }, { entry: 'same', at: 'stay' })
}
