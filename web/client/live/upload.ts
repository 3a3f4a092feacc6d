import type { Client } from '../core/client-api.ts'

/** Has the bar show how much of a photo is sent, as its `--sent`, from 0 to 1. The bodies of other forms go in one moment. */
export function showUploads({ typing, upload }: Client): void {
  upload.show = ({ loaded, total }) => {
    const bar = document.getElementById('progress')
    if (!bar || !(typing.sent instanceof FormData)) return
    bar.classList.add('measured')
    bar.style.setProperty('--sent', String(loaded / total))
  }
}
