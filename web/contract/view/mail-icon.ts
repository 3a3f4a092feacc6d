/** An envelope, of 20 units a side, drawn as lines. */
export const envelope =
  'M3.5 4.5h13a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1Zm-.6.5 7.1 5.8L17.1 5'
