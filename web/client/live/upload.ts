import type { Client } from '../core/client-api.ts'

/** Shows the upload progress of a photo in the bar, as `--sent` from 0 to 1. Other forms need no progress. */
export function showUploads({ typing, upload }: Client): void {
  upload.show = ({ loaded, total }) => {
    const bar = document.getElementById('progress')
    if (!bar || !(typing.sent instanceof FormData)) return
    bar.classList.add('measured')
    bar.style.setProperty('--sent', String(loaded / total))
  }
}
