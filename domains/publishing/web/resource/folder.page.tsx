import { folderApi, resourceApi, resourceList } from '@campus/publishing/contract'
import type { ResourceRow } from '@campus/publishing/contract'
import { size } from '@kit/contract/checks'
import { Can, fieldsOf, Filters, ListPage, Table, usePage, useResourceList } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Link } from '@tanstack/react-router'
import { Button, Segmented } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { kinds } from './kinds.ts'
import type { Kind } from './kinds.ts'
import { ResourceGrid } from './resource-grid.tsx'
import { useResourceActs } from './use-resource-acts.tsx'
import type { ResourceActs } from './use-resource-acts.tsx'
import './resource.css'

export const PictureFolder = (): ReactNode => <Folder kind={kinds.picture} />
export const VideoFolder = (): ReactNode => <Folder kind={kinds.video} />
export const WordFolder = (): ReactNode => <Folder kind={kinds.word} />

const fields = fieldsOf(resourceList, {
  resource_name: { default_action: true, cell: row => <ResourceLink row={row} /> },
  bytes: { cell: row => size(row.bytes) },
})
const views = [
  { value: 'grid', label: '缩略图' },
  { value: 'table', label: '列表' },
]

function ResourceLink({ row: { id, resource_type, resource_name, address } }: { row: ResourceRow }): ReactNode {
  if (resource_type === kinds.word.type)
    return (
      <Link className="kit-link" to="/WordDetail" search={{ id }}>
        {resource_name}
      </Link>
    )
  return (
    <a className="kit-link" href={address} target="_blank" rel="noopener noreferrer">
      {resource_name}
    </a>
  )
}

/** What is in an album or folder: pictures and films as a grid, documents as a table, with every act on those that are chosen. */
function Folder({ kind }: { kind: Kind }): ReactNode {
  const { search, setSearch } = usePage()
  const { folder_id } = search
  const fixed = useMemo(
    (): Record<string, string> => ({ type: String(kind.type), ...(folder_id === undefined ? {} : { folder_id }) }),
    [kind, folder_id],
  )
  const list = useResourceList(resourceApi.list, fields, { fixed, part: 'list' })
  const folders = useCall(folderApi.list, { resource_type: kind.type })
  const name =
    folder_id === undefined ? `全部${kind.item}` : (folders.data?.list.find(folder => folder.id === folder_id)?.name ?? kind.album)
  const chosen = list.rows.filter(row => list.selected.includes(row.id))
  const acts = useResourceActs(
    kind,
    chosen,
    () => {
      list.select([])
      void list.refresh()
    },
    folder_id,
  )
  const is_grid = kind.type !== kinds.word.type && search.view !== 'table'
  const upload =
    kind.type === kinds.word.type ? (
      <Link to="/UploadWord" search={folder_id === undefined ? {} : { folder_id }}>
        <Button type="primary">上传文档</Button>
      </Link>
    ) : (
      <Button type="primary" onClick={acts.upload}>
        上传{kind.item}
      </Button>
    )
  return (
    <ListPage
      of={list}
      head={
        <p className="pub-hint">
          <Link className="kit-link" to={kind.home}>
            返回{kind.album}
          </Link>{' '}
          · {name}
        </p>
      }
      filters={<Filters of={list} show={['keyword', 'published', 'state']} />}
      batch={<BatchActs acts={acts} in_bin={list.values.state === '3'} />}
      actions={
        <>
          {kind.type !== kinds.word.type && (
            <Segmented options={views} value={is_grid ? 'grid' : 'table'} onChange={view => setSearch({ ...search, view: String(view) })} />
          )}
          <Can code={resourceApi.add}>{upload}</Can>
        </>
      }
    >
      {is_grid && list.rows.length > 0 ? (
        <ResourceGrid
          items={list.rows}
          selected={new Set(list.selected.map(String))}
          onSelect={ids => list.select([...ids])}
          is_video={kind.type === kinds.video.type}
          label={name}
        />
      ) : (
        <Table
          of={list}
          show={['resource_name', 'folder_name', 'bytes', 'usage_count', 'author_name', 'created_at']}
          more={['state']}
          selectable
          empty={`还没有${kind.item}：点“上传${kind.item}”添加`}
        />
      )}
      {acts.dialog}
    </ListPage>
  )
}

function BatchActs({ acts, in_bin }: { acts: ResourceActs; in_bin: boolean }): ReactNode {
  if (in_bin)
    return (
      <Can code={resourceApi.restore}>
        <Button onClick={acts.restore}>恢复</Button>
      </Can>
    )
  return (
    <>
      <Can code={resourceApi.publish}>
        <Button onClick={acts.publish}>发布</Button>
        <Button onClick={acts.unpublish}>取消发布</Button>
      </Can>
      <Button onClick={acts.download}>下载</Button>
      <Can code={resourceApi.move}>
        <Button onClick={acts.rename}>重命名</Button>
        <Button onClick={acts.replace}>替换</Button>
        <Button onClick={acts.move}>移动</Button>
        <Button onClick={acts.label}>标签</Button>
      </Can>
      <Can code={resourceApi.remove}>
        <Button danger onClick={acts.remove}>
          删除
        </Button>
      </Can>
    </>
  )
}
