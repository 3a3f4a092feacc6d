import { offline as words } from '#words/client/offline'
import type { Client } from '../core/client-api.ts'

/** The pending reads of chosen photos, by form. */
const reading = new WeakMap<HTMLFormElement, Promise<void>>()
const draggedOver = 'data-dragged-over'
// Milliseconds.
const longestLoad = 10_000

/** Opens a crop for photos chosen in a `data-crop` field, or dropped or pasted for it. */
export function followPhotos(client: Client): void {
  const read = (input: HTMLInputElement) => void readPhoto(input, client)
  const take = (input: HTMLInputElement, files: FileList | undefined) => {
    if (!files?.length) return
    input.files = files
    read(input)
  }
  document.addEventListener('change', ({ target }) => {
    if ((target as Element).matches('[data-crop]')) read(target as HTMLInputElement)
  })
  document.addEventListener('dragover', showDrop)
  document.addEventListener('dragleave', hideDrop)
  document.addEventListener('drop', (event) => {
    const zone = showDrop(event)
    zone?.removeAttribute(draggedOver)
    if (zone) take(fieldOf(zone), event.dataTransfer?.files)
  })
  document.addEventListener('paste', ({ target, clipboardData }) => {
    const zone = document.querySelector('[data-drop]')
    if (zone && !isTyping(target as Element)) take(fieldOf(zone), clipboardData?.files)
  })
  document.addEventListener('submit', (event) => void awaitPhoto(event, client), { capture: true })
  // Photos chosen before the listeners were attached.
  for (const input of document.querySelectorAll<HTMLInputElement>('[data-crop]'))
    if (input.files?.length) read(input)
}

async function readPhoto(input: HTMLInputElement, client: Client): Promise<void> {
  const { form } = input
  if (!form) return
  const read = crop(input, client)
  reading.set(form, read)
  try {
    await read
  } finally {
    if (reading.get(form) === read) reading.delete(form)
  }
}

// If the module fails to load (no network, or a new build), or takes too long, the file is sent as it is.
async function crop(input: HTMLInputElement, client: Client): Promise<void> {
  const loading = import('../photo/choose.ts').catch(() => undefined)
  const photo = await Promise.race([loading, tooLate()])
  await photo?.choose(input, client)
}

function tooLate(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, longestLoad))
}

/**
 * Delays a form whose photo is still being read. It is sent afterwards if the photo is accepted and the
 * person is still on the page.
 */
async function awaitPhoto(event: SubmitEvent, client: Client): Promise<void> {
  const form = event.target as HTMLFormElement
  const { submitter } = event
  const read = reading.get(form)
  if (!read) return
  event.preventDefault()
  event.stopImmediatePropagation()
  // Sent once, however often the button is pressed meanwhile.
  if (form.querySelector('[aria-busy="true"]')) return
  submitter?.setAttribute('aria-busy', 'true')
  await client.withProgress(() => read)
  submitter?.removeAttribute('aria-busy')
  if (!form.isConnected) client.toast('error', words.photoUnsent)
  else if (form.querySelector<HTMLInputElement>('[data-crop]')?.files?.length)
    form.requestSubmit(submitter)
}

/** Marks and returns the drop zone of a dragged file. Prevents other drops, which browsers would open. */
function showDrop(event: DragEvent): Element | undefined {
  const { dataTransfer, target } = event
  if (!dataTransfer?.types.includes('Files') || !document.querySelector('[data-drop]')) return
  event.preventDefault()
  const zone = (target as Element).closest('[data-drop]') ?? undefined
  dataTransfer.dropEffect = zone ? 'copy' : 'none'
  zone?.setAttribute(draggedOver, '')
  return zone
}

function hideDrop({ target, relatedTarget }: DragEvent): void {
  const zone = (target as Element).closest('[data-drop]')
  if (!zone?.contains(relatedTarget as Element | null)) zone?.removeAttribute(draggedOver)
}

function fieldOf(zone: Element): HTMLInputElement {
  const id = zone.getAttribute('data-drop') ?? ''
  const field = document.getElementById(id)
  if (field instanceof HTMLInputElement) return field
  throw new Error(`There is no field ${id} that takes what is dropped.`)
}

/** Whether a paste is meant for a text field, or for a dialog over the page. */
function isTyping(target: Element): boolean {
  const isText = target.closest('input:not([type=file], [type=range]), [contenteditable]')
  return isText !== null || document.querySelector('dialog:modal') !== null
}
