import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'

/** An element with its attributes; `text` is what it holds besides elements. */
export type Element = { name: string; attributes: Readonly<Record<string, string>>; children: readonly Element[]; text: string }

const Nodes = z.array(z.record(z.string(), z.unknown()))
const Attributes = z.record(z.string(), z.string())
const attributes_key = ':@'
const text_key = '#text'

/** Reads an XML text; numbers stay as they are written. @throws Error where it is not well formed */
export function parseXml(text: string): Element {
  const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '', parseTagValue: false,
    processEntities: true, ignoreDeclaration: true, ignorePiTags: true })
  const root = elementsOf(parser.parse(text, true)).at(-1)
  if (!root) throw new Error('The file holds no element.')
  return root
}

function elementsOf(raw: unknown): Element[] {
  return Nodes.parse(raw).flatMap(node => {
    const name = Object.keys(node).find(key => key !== attributes_key)
    if (name === undefined || name === text_key) return []
    const inner = Nodes.parse(node[name])
    const text = inner.flatMap(one => (one[text_key] === undefined ? [] : [String(one[text_key])])).join('').trim()
    return [{ name, attributes: Attributes.parse(node[attributes_key] ?? {}), children: elementsOf(inner), text }]
  })
}

/** The first child of a name. */
export function childOf(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find(child => child.name === name)
}

/** Every child of a child: `<Resources><Resource/>…`. */
export function listOf(element: Element | undefined, name: string): readonly Element[] {
  return childOf(element, name)?.children ?? []
}

/** Text of a child; null where there is none. */
export function textOf(element: Element | undefined, name: string): string | null {
  const text = childOf(element, name)?.text ?? ''
  return text === '' ? null : text
}

/** @throws Error where the child holds no number */
export function numberOf(element: Element | undefined, name: string, absent: number): number {
  const text = textOf(element, name)
  if (text === null) return absent
  const value = Number(text)
  if (!Number.isFinite(value)) throw new Error(`${name} is not a number: ${text}`)
  return value
}

export const referenceOf = (element: Element | undefined): string | null => element?.attributes.Reference ?? null
export const idOf = (element: Element): string => element.attributes.Id ?? ''
