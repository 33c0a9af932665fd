import { parseAsync, renderDocument } from 'docx-preview'
import type { HElement } from 'docx-preview'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { PreviewFailed } from './preview-failed.tsx'
import { mayUnfold } from './zip-size.ts'

const own_style =
  'body{margin:0;background:#eceff3} .docx-wrapper{background:none!important;padding:12px!important} .docx-wrapper>section.docx{max-width:100%;box-sizing:border-box}'
/** Nothing of a document may load, run or lead anywhere but to a web page. */
const left_out: ReadonlySet<string> = new Set(['script', 'iframe', 'object', 'embed', 'link', 'meta', 'base', 'form'])
const kept_links = /^(https?:|#|mailto:)/i
const kept_sources = /^(data:image\/|blob:)/i

/** A Word document drawn into a frame in which no script runs and from which nothing is fetched (chapter 60 rule 26). */
export function DocxView({ bytes }: { bytes: Uint8Array }): ReactNode {
  const frame = useRef<HTMLIFrameElement>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (!page) return
    draw(page, bytes).catch(() => setFailed(true))
  }, [bytes])
  if (failed) return <PreviewFailed />
  return <iframe ref={frame} title="文档正文" sandbox="allow-same-origin" />
}

async function draw(page: Document, bytes: Uint8Array): Promise<void> {
  if (!mayUnfold(bytes)) throw new Error('not a document')
  const styles = [own_style]
  const options = {
    h: makerOf(page, styles),
    useBase64URL: true,
    ignoreFonts: true,
    renderAltChunks: false,
    renderComments: false,
    inWrapper: true,
  }
  const nodes = await renderDocument(await parseAsync(new Blob([Uint8Array.from(bytes)]), options), options)
  const view = page.defaultView
  if (!view) return
  // The policy of the page takes no style elements; sheets made by a script are taken.
  page.adoptedStyleSheets = styles.map(text => {
    const sheet = new view.CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  page.body.replaceChildren(...nodes)
}

type Part = HElement | Node | string

/** Makes the nodes of a document inside the frame, leaves out what could act, and collects styles. */
function makerOf(page: Document, styles: string[]): (part: Part) => Node {
  const make = (part: Part): Node => {
    if (typeof part === 'string') return page.createTextNode(part)
    if (isNode(part)) return part
    const { ns, tagName, className, style, children = [], ...props } = part
    if (tagName === '#comment' || left_out.has(tagName.toLowerCase())) return page.createComment('')
    if (tagName === 'style') {
      styles.push(children.filter(one => typeof one === 'string').join(''))
      return page.createComment('')
    }
    const node = tagName === '#fragment' ? page.createDocumentFragment() : element({ ns, tagName, className, style }, props)
    for (const child of children) node.appendChild(make(child))
    return node
  }
  const element = (
    { ns, tagName, className, style }: Pick<HElement, 'ns' | 'tagName' | 'className' | 'style'>,
    props: Record<string, unknown>,
  ): Element => {
    const made = ns === undefined ? page.createElement(tagName) : page.createElementNS(ns, tagName)
    if (className !== undefined) made.setAttribute('class', className)
    if ('style' in made && style !== undefined) setStyle(made.style, style)
    for (const [key, value] of Object.entries(props)) if (isKept(key, value)) Reflect.set(made, key, value)
    return made
  }
  return make
}

function isNode(part: Exclude<Part, string>): part is Node {
  return 'nodeType' in part && typeof part['nodeType'] === 'number'
}

function setStyle(target: unknown, style: string | Record<string, string>): void {
  if (typeof target !== 'object' || target === null) return
  if (typeof style === 'string') Reflect.set(target, 'cssText', style)
  else for (const [name, value] of Object.entries(style)) Reflect.set(target, name, value)
}

function isKept(key: string, value: unknown): boolean {
  if (value === undefined || /^on|html$|^srcdoc$/i.test(key)) return false
  if (key === 'href') return typeof value === 'string' && kept_links.test(value)
  if (key === 'src') return typeof value === 'string' && kept_sources.test(value)
  return true
}
