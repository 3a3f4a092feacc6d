/** Methods that HTML forms lack: such a form is sent as a POST with a field that names the method. */
export type FormMethod = 'PUT' | 'PATCH' | 'DELETE'

/**
 * Returns the hidden fields of a form, for when the browser sends it without the client: the user the page
 * was made for, since another may have logged in by then, and the method that the POST stands for.
 */
export function hiddenFields(
  viewer: number | undefined,
  method: FormMethod | undefined,
): readonly (readonly [name: string, value: string | number])[] {
  return [
    ...(viewer === undefined ? [] : [['_user', viewer] as const]),
    ...(method ? [['_method', method] as const] : []),
  ]
}
