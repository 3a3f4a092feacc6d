import { expect, test } from 'vitest'
import { readDotEnv } from './dot-env.ts'

const values = (...lines: string[]) => ({ ...readDotEnv(lines.join('\n')).values })

test('a line of .env is a name and a value, with or without export', () => {
  expect(values('A=1', '  export B = two words  ', 'C=', 'D=a=b')).toEqual({
    A: '1',
    B: 'two words',
    C: '',
    D: 'a=b',
  })
})

test('comments and empty lines are ignored, while a # inside a value stays', () => {
  expect(
    values('# A=0', '', '  # x', 'A=1 # one', 'B=pass#word', 'C=# none', "D='a # b' # c"),
  ).toEqual({
    A: '1',
    B: 'pass#word',
    C: '',
    D: 'a # b',
  })
})

test('quotes preserve spaces, double quotes take escapes, and no variable is expanded', () => {
  expect(values('A=" x "', "B=' $A '", 'C="$A \\" \\\\ \\n \\t"', "D='\\n'", 'E=$A')).toEqual({
    A: ' x ',
    B: ' $A ',
    C: '$A " \\ \n \\t',
    D: '\\n',
    E: '$A',
  })
})

test('the last of two lines with the same name counts', () => {
  expect(values('A=1', 'A=2')).toEqual({ A: '2' })
})

test('a .env with a byte order mark and CRLF line ends is read', () => {
  expect({ ...readDotEnv('\ufeffA=1\r\nB=2\r\n').values }).toEqual({ A: '1', B: '2' })
})

test('invalid lines of .env are reported by number', () => {
  const text = ['A=1', 'B', '= c', 'D="open', "E='x' y", '1F=2', 'G="x"y'].join('\n')
  expect(readDotEnv(text)).toMatchObject({ values: { A: '1' }, badLines: [2, 3, 4, 5, 6, 7] })
})

test('the values of .env inherit no properties, even after a line with __proto__', () => {
  expect(readDotEnv('__proto__=1').values.constructor).toBeUndefined()
})
