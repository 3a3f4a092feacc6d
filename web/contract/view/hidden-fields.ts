/** What HTML has no form for, in place of the POST that is sent. */
export type FormMethod = 'PUT' | 'PATCH' | 'DELETE'

/**
 * What each form says that the browser sends itself, beside what is typed: the user whom its page was shown to, since
 * another may have logged in by then, and the method that it stands for.
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
