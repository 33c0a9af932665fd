import { getDocument, GlobalWorkerOptions } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { Player } from './player.ts'

const maps = import.meta.glob<string>('../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
})
const workers = import.meta.glob<string>('../../node_modules/pdfjs-dist/legacy/build/pdf.worker.min.mjs', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
})
GlobalWorkerOptions.workerSrc = Object.values(workers)[0] ?? ''
const second_ms = 1000

/** The tables of characters of Chinese, Japanese and Korean fonts, from our own address. */
class OwnCMaps {
  async fetch({ name }: { name: string }): Promise<{ cMapData: Uint8Array; isCompressed: boolean }> {
    const found = Object.entries(maps).find(([path]) => path.endsWith(`/${name}.bcmap`))
    if (!found) throw new Error(`no character map ${name}`)
    return { cMapData: new Uint8Array(await (await fetch(found[1])).arrayBuffer()), isCompressed: true }
  }
}

/** The page of each document that comes next, so that its next turn goes on where the last one ended. */
const next_pages = new Map<string, number>()

type Props = { player: Player; sha256: string; seconds: number; title: string }

/** A PDF on the screen, a page at a time; nothing of it runs (chapter 60 rule 26). */
export function DocumentPages({ player, sha256, seconds, title }: Props): ReactNode {
  const [file, setFile] = useState<PDFDocumentProxy | null>(null)
  const [page, setPage] = useState(() => next_pages.get(sha256) ?? 0)
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const opening = openFile(player, sha256)
    let is_over = false
    opening.then(
      opened => {
        if (!is_over) setFile(opened)
      },
      () => undefined,
    )
    return () => {
      is_over = true
      void opening.then(opened => opened?.loadingTask.destroy()).catch(() => undefined)
    }
  }, [player, sha256])
  useEffect(() => {
    const turn = setInterval(() => setPage(one => one + 1), seconds * second_ms)
    return () => clearInterval(turn)
  }, [seconds])
  const shown = file ? page % file.numPages : 0
  useEffect(() => {
    if (!file || !canvas.current) return
    next_pages.set(sha256, shown + 1)
    // A page that cannot be drawn leaves the one before.
    drawPage(file, shown + 1, canvas.current).catch(() => undefined)
  }, [file, sha256, shown])
  if (!file) return <p className="words">{title}</p>
  return <canvas ref={canvas} className="document" role="img" aria-label={title} data-page={shown + 1} data-sha256={sha256} />
}

async function openFile(player: Player, sha256: string): Promise<PDFDocumentProxy | null> {
  const blob = await player.file(sha256)
  if (!blob) return null
  const data = new Uint8Array(await blob.arrayBuffer())
  const task = getDocument({ data, isEvalSupported: false, enableXfa: false, useSystemFonts: true, CMapReaderFactory: OwnCMaps })
  task.onPassword = () => void task.destroy()
  return task.promise
}

/** Draws beside the screen first: the page before stays until the next one is whole. */
async function drawPage(file: PDFDocumentProxy, page_no: number, canvas: HTMLCanvasElement): Promise<void> {
  const page = await file.getPage(page_no)
  const plain = page.getViewport({ scale: 1 })
  const { width, height } = canvas.parentElement?.getBoundingClientRect() ?? plain
  const viewport = page.getViewport({ scale: Math.max(0.1, Math.min(width / plain.width, height / plain.height)) })
  const beside = document.createElement('canvas')
  beside.width = Math.ceil(viewport.width)
  beside.height = Math.ceil(viewport.height)
  const context = beside.getContext('2d')
  if (!context) return
  await page.render({ canvasContext: context, viewport }).promise
  canvas.width = beside.width
  canvas.height = beside.height
  canvas.getContext('2d')?.drawImage(beside, 0, 0)
}
