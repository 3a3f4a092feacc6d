import { createContext } from 'svelte'

/** Reads the ID of the user whom the page is shown to; undefined for a guest. */
type Viewer = () => number | undefined

export const [viewer, setViewer] = createContext<Viewer>()
