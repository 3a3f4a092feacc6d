import { expect, test } from 'vitest'
import { readDotEnv } from './dot-env.ts'

const values = (...lines: string[]) => ({ ...readDotEnv(lines.join('\n')).values })

test('a line is a name and a value, with or without export', () => {
  expect(values('A=1', '  export B = two words  ', 'C=', 'D=a=b')).toEqual({
    A: '1',
    B: 'two words',
    C: '',
    D: 'a=b',
  })
})

test('comments and empty lines are left out, but a # inside a value stands', () => {
  expect(
    values('# A=0', '', '  # x', 'A=1 # one', 'B=pass#word', 'C=# none', "D='a # b' # c"),
  ).toEqual({
    A: '1',
    B: 'pass#word',
    C: '',
    D: 'a # b',
  })
})

test('quotes keep spaces, and nothing is expanded', () => {
  expect(values('A=" x "', "B=' $A '", 'C="$A \\" \\\\ \\n \\t"', "D='\\n'", 'E=$A')).toEqual({
    A: ' x ',
    B: ' $A ',
    C: '$A " \\ \n \\t',
    D: '\\n',
    E: '$A',
  })
})

test('of two lines of one name the last counts', () => {
  expect(values('A=1', 'A=2')).toEqual({ A: '2' })
})

test('a file of another system is read too', () => {
  expect({ ...readDotEnv('\ufeffA=1\r\nB=2\r\n').values }).toEqual({ A: '1', B: '2' })
})

test('lines that cannot be read are told by their number', () => {
  const text = ['A=1', 'B', '= c', 'D="open', "E='x' y", '1F=2', 'G="x"y'].join('\n')
  expect(readDotEnv(text)).toMatchObject({ values: { A: '1' }, badLines: [2, 3, 4, 5, 6, 7] })
})

test('a name that objects have is a name like others', () => {
  expect(readDotEnv('__proto__=1').values.constructor).toBeUndefined()
})
