import { unescapeText } from './cell-text.ts'
import { createXmlScanner } from './xml-scanner.ts'

/** The texts that cells refer to by index. Formatted runs are joined; reading aids above the signs (`rPh`) are left out. */
export async function readSharedStrings(chunks: AsyncIterable<string>): Promise<string[]> {
  const strings: string[] = []
  let item = ''
  let inText = false
  let inPhonetic = false
  const scanner = createXmlScanner({
    open(name) {
      if (name === 'si') item = ''
      else if (name === 't') inText = !inPhonetic
      else if (name === 'rPh') inPhonetic = true
    },
    close(name) {
      if (name === 'si') strings.push(unescapeText(item))
      else if (name === 't') inText = false
      else if (name === 'rPh') inPhonetic = false
    },
    text(value) {
      if (inText) item += value
    },
  })
  for await (const chunk of chunks) scanner.push(chunk)
  scanner.end()
  return strings
}
