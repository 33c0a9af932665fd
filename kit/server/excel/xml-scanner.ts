import { SheetRefused } from './refusal.ts'

export interface XmlHandler {
  /** `name` without its namespace prefix, `attributes` as written; see `attribute`. */
  open(name: string, attributes: string): void
  close(name: string): void
  /** Text with entities resolved; may come in several calls. */
  text(value: string): void
}

export interface XmlScanner {
  push(chunk: string): void
  /** Call once after the last chunk. */
  end(): void
}

/** Far above any tag or cell text (32,767 signs, ten bytes each); keeps a hostile run of text from being copied again and again. */
const maxToken = 2 * 1024 * 1024
const entityNames = new Map([['lt', '<'], ['gt', '>'], ['amp', '&'], ['quot', '"'], ['apos', "'"]])

/**
 * An incremental reader for the XML of Office files: elements, text, CDATA, nothing else.
 * A DOCTYPE or an unknown entity is refused (`not_allowed`), a broken document is `unreadable`.
 */
export function createXmlScanner(handler: XmlHandler): XmlScanner {
  let rest = ''
  let depth = 0
  let rooted = false

  const takeTag = (start: number, end: number) => {
    const closing = rest.charCodeAt(start + 1) === 47
    const selfClosing = rest.charCodeAt(end - 1) === 47
    const body = rest.slice(start + (closing ? 2 : 1), selfClosing ? end - 1 : end)
    const { name, attributes } = splitTag(body)
    if (!closing) {
      rooted = true
      depth += 1
      handler.open(name, attributes)
    }
    if (closing || selfClosing) {
      depth -= 1
      if (depth < 0) throw new SheetRefused('unreadable')
      handler.close(name)
    }
  }

  const push = (chunk: string) => {
    rest += chunk
    let at = 0
    for (;;) {
      const start = rest.indexOf('<', at)
      if (start < 0) break
      const end = tokenEnd(rest, start)
      if (end < 0) break
      if (start > at && depth > 0) handler.text(resolveText(rest.slice(at, start)))
      const mark = rest.charCodeAt(start + 1)
      if (mark === 33) takeDeclaration(rest.slice(start, end + 1), handler)
      else if (mark !== 63) takeTag(start, end)
      at = end + 1
    }
    rest = rest.slice(at)
    if (rest.length > maxToken) throw new SheetRefused('not_allowed')
  }

  const end = () => {
    if (!rooted || depth !== 0 || rest.trim() !== '') throw new SheetRefused('unreadable')
  }
  return { push, end }
}

/** Scans a document that is already whole. */
export function scanXml(xml: string, handler: XmlHandler): void {
  const scanner = createXmlScanner(handler)
  const step = maxToken / 2
  for (let at = 0; at < xml.length; at += step) scanner.push(xml.slice(at, at + step))
  scanner.end()
}

const attributePatterns = new Map<string, RegExp>()

/** The value of an attribute by its full name, entities resolved. */
export function attribute(attributes: string, name: string): string | undefined {
  let pattern = attributePatterns.get(name)
  if (!pattern) {
    pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    attributePatterns.set(name, pattern)
  }
  const found = pattern.exec(attributes)
  if (!found) return undefined
  return resolveText(found[1] ?? found[2] ?? '')
}

function splitTag(body: string): { name: string; attributes: string } {
  const space = body.search(/\s/)
  const full = space < 0 ? body : body.slice(0, space)
  return { name: full.slice(full.indexOf(':') + 1), attributes: space < 0 ? '' : body.slice(space) }
}

/** Index of the last sign of the token that starts at `start`, or -1 when it is not complete yet. */
function tokenEnd(text: string, start: number): number {
  if (text.startsWith('<!--', start)) return after(text, '-->', start + 4)
  if (text.startsWith('<![CDATA[', start)) return after(text, ']]>', start + 9)
  if (text.startsWith('<?', start)) return after(text, '?>', start + 2)
  // A chunk may end inside `<!--` or `<![CDATA[`: wait until the two can be told apart from a DOCTYPE.
  if (text.charCodeAt(start + 1) === 33 && text.length - start < 9) return -1
  return tagEnd(text, start)
}

/** One pass: an attribute value may hold any number of `>`. */
function tagEnd(text: string, start: number): number {
  let quote = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quote !== 0) quote = code === quote ? 0 : quote
    else if (code === 34 || code === 39) quote = code
    else if (code === 62) return at
  }
  return -1
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? -1 : at + mark.length - 1
}

function takeDeclaration(token: string, handler: XmlHandler): void {
  if (token.startsWith('<!--')) return
  if (!token.startsWith('<![CDATA[')) throw new SheetRefused('not_allowed')
  handler.text(token.slice(9, -3))
}

function resolveText(raw: string): string {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
  return text.includes('&') ? text.replace(/&([^;&\s]{1,32});/g, (_, name: string) => resolveEntity(name)) : text
}

function resolveEntity(name: string): string {
  const known = entityNames.get(name)
  if (known) return known
  const code = /^#x[0-9a-f]+$/i.test(name) ? Number.parseInt(name.slice(2), 16) : /^#\d+$/.test(name) ? Number(name.slice(1)) : -1
  if (code < 0) throw new SheetRefused('not_allowed')
  if (code > 0x10ffff) throw new SheetRefused('unreadable')
  return String.fromCodePoint(code)
}
