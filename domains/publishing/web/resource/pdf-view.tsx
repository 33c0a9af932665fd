import { Button, Input, InputNumber, Select, Space } from 'antd'
import { getDocument, GlobalWorkerOptions } from 'pdfjs-dist'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { PreviewFailed } from './preview-failed.tsx'

const maps = import.meta.glob<string>('../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
})
const workers = import.meta.glob<string>('../../../../node_modules/pdfjs-dist/build/pdf.worker.min.mjs', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
})
GlobalWorkerOptions.workerSrc = Object.values(workers)[0] ?? ''
const zooms = [50, 75, 100, 125, 150, 200].map(value => ({ value, label: `${value}%` }))
const [css_dpi, pdf_dpi, usual_zoom] = [96, 72, 100] as const
/** An A4 sheet, until a page has said how large it is. */
const a4 = { width: 595, height: 842 }

/** The tables of characters of Chinese, Japanese and Korean fonts, from our own address. */
class OwnCMaps {
  async fetch({ name }: { name: string }): Promise<{ cMapData: Uint8Array; isCompressed: boolean }> {
    const url = Object.entries(maps).find(([path]) => path.endsWith(`/${name}.bcmap`))?.[1]
    if (url === undefined) throw new Error(`no character map ${name}`)
    return { cMapData: new Uint8Array(await (await fetch(url)).arrayBuffer()), isCompressed: true }
  }
}

/** A PDF page by page, drawn when it comes into sight; nothing of it runs (chapter 60 rule 26). */
export function PdfView({ bytes }: { bytes: Uint8Array }): ReactNode {
  const [file, setFile] = useState<PDFDocumentProxy | null>(null)
  const [failed, setFailed] = useState(false)
  const [zoom, setZoom] = useState<number>(usual_zoom)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const task = getDocument({
      data: Uint8Array.from(bytes),
      isEvalSupported: false,
      enableXfa: false,
      useSystemFonts: true,
      CMapReaderFactory: OwnCMaps,
    })
    // A locked document asks for a password again and again.
    task.onPassword = () => {
      setFailed(true)
      void task.destroy()
    }
    task.promise.then(setFile, () => setFailed(true))
    return () => void task.destroy()
  }, [bytes])
  if (failed) return <PreviewFailed />
  const jump = (page: number | null) => box.current?.querySelector(`[data-page="${page}"]`)?.scrollIntoView()
  return (
    <>
      <Space className="res-bar">
        <Select aria-label="缩放" value={zoom} options={zooms} onChange={setZoom} />
        <InputNumber
          aria-label="跳到第几页"
          min={1}
          max={file?.numPages ?? 1}
          placeholder="页码"
          onPressEnter={event => jump(Number(event.currentTarget.value))}
        />
        <span>共 {file?.numPages ?? '…'} 页</span>
        {file && <Search file={file} onFound={jump} />}
      </Space>
      <div className="res-paper" ref={box}>
        {file && Array.from({ length: file.numPages }, (_, at) => <Sheet key={at} file={file} page={at + 1} zoom={zoom} />)}
      </div>
    </>
  )
}

function Sheet({ file, page, zoom }: { file: PDFDocumentProxy; page: number; zoom: number }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const scale = (zoom / usual_zoom) * (css_dpi / pdf_dpi)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    let stop = () => {}
    const watcher = new IntersectionObserver(
      ([seen]) => {
        if (!seen?.isIntersecting) return
        watcher.disconnect()
        void drawPage(file, page, element, scale).then(end => {
          stop = end
        })
      },
      { rootMargin: '400px' },
    )
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      stop()
    }
  }, [file, page, scale])
  return (
    <canvas
      ref={canvas}
      className="res-sheet"
      data-page={page}
      aria-label={`第${page}页`}
      width={a4.width * scale}
      height={a4.height * scale}
    />
  )
}

async function drawPage(file: PDFDocumentProxy, page: number, canvas: HTMLCanvasElement, scale: number): Promise<() => void> {
  const sheet = await file.getPage(page)
  const viewport = sheet.getViewport({ scale })
  const sharp = window.devicePixelRatio
  Object.assign(canvas, { width: Math.floor(viewport.width * sharp), height: Math.floor(viewport.height * sharp) })
  Object.assign(canvas.style, { width: `${viewport.width}px`, height: `${viewport.height}px` })
  const canvasContext = canvas.getContext('2d')
  if (!canvasContext) return () => {}
  const task = sheet.render({ canvasContext, viewport, transform: [sharp, 0, 0, sharp, 0, 0] })
  // Another zoom ends the drawing of this one.
  task.promise.catch(() => undefined)
  return () => task.cancel()
}

/** Goes to the next page that holds the words. */
function Search({ file, onFound }: { file: PDFDocumentProxy; onFound: (page: number) => void }): ReactNode {
  const [words, setWords] = useState('')
  const [said, setSaid] = useState('')
  const from = useRef(0)
  const find = async () => {
    for (let step = 0; step < file.numPages; step += 1) {
      const page = ((from.current + step) % file.numPages) + 1
      const { items } = await (await file.getPage(page)).getTextContent()
      const text = items.map(item => ('str' in item ? item.str : '')).join('')
      if (!text.includes(words)) continue
      from.current = page
      setSaid(`第${page}页`)
      return onFound(page)
    }
    setSaid('没有找到')
  }
  return (
    <Space.Compact>
      <Input
        aria-label="查找文字"
        placeholder="查找文字"
        value={words}
        onChange={event => setWords(event.target.value)}
        onPressEnter={() => void find()}
      />
      <Button disabled={words === ''} onClick={() => void find()}>
        下一处
      </Button>
      {said !== '' && <span role="status">{said}</span>}
    </Space.Compact>
  )
}
