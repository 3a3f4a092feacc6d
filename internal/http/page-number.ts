import type { Arrived } from './arrived.ts'

/** Returns the page of a list from the query, starting at 1; 1 if it is missing or invalid. */
export function pageNumber({ search }: Arrived): number {
  const page = new URLSearchParams(search).get('page') ?? ''
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1
}
