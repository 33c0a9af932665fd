import { educationApi, resourceApi } from '@campus/publishing/contract'
import type { ResourceRow } from '@campus/publishing/contract'
import { size } from '@kit/contract/checks'
import { downloadFile, instantText, Loading, PageFrame, sentenceOf, toast, usePage } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button, Empty } from 'antd'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { kindOf } from './kinds.ts'
import { PreviewFailed } from './preview-failed.tsx'
import '../publishing.css'
import './resource.css'

const DocxView = lazy(() => import('./docx-view.tsx').then(part => ({ default: part.DocxView })))
const PdfView = lazy(() => import('./pdf-view.tsx').then(part => ({ default: part.PdfView })))
const kept_ms = 600_000

/** A document as it reads, with where it is shown; what is no Word, PDF or text is downloaded (chapter 60 rule 26). */
export default function WordDetail(): ReactNode {
  const { search } = usePage()
  const { id = '' } = search
  const query = useCall(resourceApi.detail, { id }, { enabled: id !== '' })
  if (id === '')
    return (
      <PageFrame ready="page">
        <Empty description="请先选择一份文档">
          <Link to="/ResourceWord">
            <Button>去文档库</Button>
          </Link>
        </Empty>
      </PageFrame>
    )
  return (
    <PageFrame
      ready={query.data ? 'page' : query.error ? 'failed' : undefined}
      actions={query.data && <Button onClick={() => void download(query.data)}>下载</Button>}
    >
      <Loaded query={query}>
        {row => (
          <div className="res-viewer">
            <Preview row={row} />
            <Facts row={row} />
          </div>
        )}
      </Loaded>
    </PageFrame>
  )
}

async function download({ cdn_name, resource_name }: ResourceRow): Promise<void> {
  await downloadFile(educationApi.download, { url: cdn_name, filename: resource_name }, { quiet: true }).catch((cause: unknown) =>
    toast.warning(sentenceOf(cause)),
  )
}

function Preview({ row }: { row: ResourceRow }): ReactNode {
  const ending = row.cdn_name.slice(row.cdn_name.lastIndexOf('.') + 1).toLowerCase()
  const is_shown = ending === 'docx' || ending === 'pdf' || ending === 'txt'
  const bytes = useQuery({
    queryKey: ['publishing.resource.bytes', row.id, row.row_version],
    queryFn: ({ signal }) => fetchBytes(row.address, signal),
    enabled: is_shown,
    staleTime: kept_ms,
    retry: false,
  })
  if (!is_shown)
    return (
      <div className="res-paper">
        <PreviewFailed is_kind />
      </div>
    )
  if (bytes.error)
    return (
      <div className="res-paper">
        <PreviewFailed />
      </div>
    )
  if (!bytes.data) return <Loading rows={8} />
  if (ending === 'txt')
    return (
      <div className="res-paper">
        <pre>{new TextDecoder().decode(bytes.data)}</pre>
      </div>
    )
  return (
    <Suspense fallback={<Loading rows={8} />}>
      {ending === 'pdf' ? (
        <div>
          <PdfView bytes={bytes.data} />
        </div>
      ) : (
        <div className="res-paper">
          <DocxView bytes={bytes.data} />
        </div>
      )}
    </Suspense>
  )
}

async function fetchBytes(address: string, signal: AbortSignal): Promise<Uint8Array> {
  const answer = await fetch(address, { signal })
  if (!answer.ok) throw new Error(`the file answered ${answer.status}`)
  return new Uint8Array(await answer.arrayBuffer())
}

function Facts({ row }: { row: ResourceRow }): ReactNode {
  const used = useCall(educationApi.published, { resource_id: row.id })
  const kind = kindOf(row.resource_type)
  const lines = [
    ['名称', row.resource_name],
    ['文件夹', row.folder_name ?? '未归入'],
    ['大小', size(row.bytes)],
    ['上传人', row.author_name ?? ''],
    ['上传时间', instantText(row.created_at)],
  ] as const
  return (
    <aside className="res-facts" aria-label="文档信息">
      <Link className="kit-link" to={kind.detail} search={row.folder_id === null ? {} : { folder_id: row.folder_id }}>
        返回{kind.album}
      </Link>
      <dl>{lines.map(([label, text]) => [<dt key={`${label}-label`}>{label}</dt>, <dd key={label}>{text}</dd>])}</dl>
      <h2>发布位置</h2>
      <Loaded query={used} rows={2}>
        {({ places, teachers }) =>
          places.length + teachers.length === 0 ? (
            <p className="pub-hint">没有发布</p>
          ) : (
            <ul className="res-impact">
              {[...places.map(place => place.place_name), ...teachers.map(one => one.name)].map(name => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </aside>
  )
}
