import { followKeys, followPointers, followWheel } from './gestures.ts'
import { draw, photoOf } from './sent-photo.ts'
import {
  largestSquare,
  middleOf,
  mostZoomOf,
  moved,
  type Share,
  type Square,
  zoomed,
  zoomOf,
} from './square.ts'

export interface CropParts {
  readonly form: HTMLFormElement
  /** The field whose file is cropped. */
  readonly input: HTMLInputElement
  readonly canvas: HTMLCanvasElement
  /** Closed together with the crop. */
  readonly picture: ImageBitmap
  /** Called once the form was reset and the crop closed. */
  readonly ended: () => void
}

const announcedAfterMs = 500

/** A picture in a canvas, of which the person chooses the square to send. Closed when its form is reset. */
export class Crop {
  /** The file being cropped. */
  readonly file: File | undefined
  readonly #parts: CropParts
  readonly #slider: HTMLInputElement
  readonly #life = new AbortController()
  #square: Square
  #announcing: number | undefined
  #isSent = false

  constructor(parts: CropParts) {
    const { input, canvas, picture } = parts
    this.file = input.files?.[0]
    this.#parts = parts
    this.#slider = sliderOf(canvas)
    this.#slider.max = String(mostZoomOf(picture))
    this.#slider.disabled = mostZoomOf(picture) === 1
    this.#square = largestSquare(picture)
    this.#followHands()
    this.#followForm()
    canvas.hidden = false
    this.#show(this.#square)
    canvas.focus()
  }

  /** Closes the crop. If that hides the focused element, the field gets the focus. */
  close(): void {
    const { input, canvas, picture } = this.#parts
    const had = document.activeElement
    this.#life.abort()
    clearTimeout(this.#announcing)
    canvas.hidden = true
    picture.close()
    // The stylesheet hides the crop's controls along with the canvas.
    if (had && !had.checkVisibility()) input.focus()
  }

  #followHands(): void {
    const { form, canvas, picture } = this.#parts
    const { signal } = this.#life
    const hands = {
      move: (by: Share) => this.#show(moved(this.#square, by, picture)),
      zoom: (factor: number, at?: Share) => this.#zoomTo(this.#zoom * factor, at),
    }
    followPointers(canvas, hands, signal)
    followWheel(canvas, hands, signal)
    followKeys(canvas, hands, { done: () => this.#announceSoon(), signal })
    this.#slider.addEventListener('input', () => this.#zoomTo(this.#slider.valueAsNumber), {
      signal,
    })
    const giveUp = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !this.#isInFlight) form.reset()
    }
    canvas.addEventListener('keydown', giveUp, { signal })
  }

  #followForm(): void {
    const { form, input, picture, ended } = this.#parts
    const { signal } = this.#life
    const send = ({ formData }: FormDataEvent) => {
      // A press while another photo is being uploaded sends nothing.
      this.#isSent ||= !this.#isInFlight
      formData.set(input.name, photoOf(picture, this.#square))
    }
    const end = () => {
      // The answer is about a photo sent before this one was chosen.
      if (this.#isInFlight && !this.#isSent) return queueMicrotask(() => this.#stay())
      this.close()
      ended()
    }
    form.addEventListener('formdata', send, { signal })
    form.addEventListener('reset', end, { signal })
  }

  /** Whether a photo is being uploaded, which can no longer be cancelled: it may have been saved. */
  get #isInFlight(): boolean {
    return this.#parts.form.querySelector('[aria-busy="true"]') !== null
  }

  /** Restores what a reset has emptied. */
  #stay(): void {
    keep(this.#parts.input, this.file)
    this.#show(this.#square)
  }

  get #zoom(): number {
    return zoomOf(this.#square, this.#parts.picture)
  }

  #zoomTo(zoom: number, at?: Share): void {
    this.#show(zoomed(this.#square, zoom, { picture: this.#parts.picture, at }))
  }

  #show(square: Square): void {
    const { canvas, picture } = this.#parts
    this.#square = square
    draw(canvas, picture, square)
    this.#slider.value = String(this.#zoom)
    this.#slider.ariaValueText = percent(this.#zoom)
  }

  /** Announces what the square shows, once the keys are at rest. */
  #announceSoon(): void {
    const { canvas, picture } = this.#parts
    clearTimeout(this.#announcing)
    this.#announcing = window.setTimeout(() => {
      const { x, y } = middleOf(this.#square, picture)
      const text = (canvas.dataset.told ?? '')
        .replace('{zoom}', percent(this.#zoom))
        .replace('{left}', percent(x))
        .replace('{top}', percent(y))
      const announcer = document.getElementById('announce')
      if (announcer) announcer.textContent = text
    }, announcedAfterMs)
  }
}

/** Sets the file of a field, or empties it. */
export function keep(input: HTMLInputElement, file: File | undefined): void {
  const files = new DataTransfer()
  if (file) files.items.add(file)
  input.files = files.files
}

function sliderOf({ dataset }: HTMLCanvasElement): HTMLInputElement {
  const slider = document.getElementById(dataset.zoom ?? '')
  if (slider instanceof HTMLInputElement) return slider
  throw new Error(`There is no field ${dataset.zoom} to zoom the picture with.`)
}

function percent(share: number): string {
  return share.toLocaleString(document.documentElement.lang, { style: 'percent' })
}
