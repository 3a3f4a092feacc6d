import type { Arrived } from './arrived.ts'

/** The page of a list that the query asks for, from 1; the first where it asks for none, or for what is no page. */
export function pageNumber({ search }: Arrived): number {
  const page = new URLSearchParams(search).get('page') ?? ''
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1
}
