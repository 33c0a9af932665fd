import { folder_visibility, folderApi } from '@campus/publishing/contract'
import type { FolderRow } from '@campus/publishing/contract'
import { deptApi } from '@campus/people/contract'
import { AppModal, call, Can, leaving, PageFrame, useCan, usePage, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { size } from '@kit/contract/checks'
import { Link, useNavigate } from '@tanstack/react-router'
import { Alert, Button, Dropdown, Empty, Form, Input, Radio, TreeSelect } from 'antd'
import type { ReactNode } from 'react'
import { kinds } from './kinds.ts'
import type { Kind } from './kinds.ts'
import './resource.css'

export const Pictures = (): ReactNode => <Library kind={kinds.picture} />
export const Videos = (): ReactNode => <Library kind={kinds.video} />
export const Words = (): ReactNode => <Library kind={kinds.word} />

/** The albums of one library with their covers (chapter 60 §5). */
function Library({ kind }: { kind: Kind }): ReactNode {
  const { search, setSearch } = usePage()
  const query = useCall(folderApi.list, { resource_type: kind.type })
  const { open, close, dialog } = useDialog()
  const { act } = useAct([folderApi.list])
  const wanted = search.keyword ?? ''
  const edit = (folder?: FolderRow) =>
    open(<FolderDialog kind={kind} onClose={close} onDone={() => void query.refetch()} {...(folder ? { folder } : {})} />)
  const remove = ({ id, name }: FolderRow) =>
    act(() => call(folderApi.remove, { id }, { quiet: true }), {
      ask: { title: `删除${kind.album}“${name}”？`, ok: '删除' },
      done: '删除成功!',
    })
  const move = (folders: readonly FolderRow[], from: number, by: number) => {
    const folder_ids = folders.map(one => one.id)
    const [moved] = folder_ids.splice(from, 1)
    if (moved !== undefined) folder_ids.splice(from + by, 0, moved)
    return act(() => call(folderApi.order, { folder_ids }, { quiet: true }))
  }
  const actions = (
    <>
      <Can code={folderApi.add}>
        <Button type="primary" onClick={() => edit()}>
          新建{kind.album}
        </Button>
      </Can>
      {kind === kinds.word && (
        <Can code="publishing.resource.edit">
          <Link to="/UploadWord">
            <Button>上传文档</Button>
          </Link>
        </Can>
      )}
    </>
  )
  return (
    <PageFrame ready={query.data ? 'page' : query.error ? 'failed' : undefined} actions={actions}>
      <Loaded query={query}>
        {({ list, loose }) => {
          const shown = list.filter(folder => folder.name.includes(wanted))
          return (
            <>
              <Input.Search
                className="res-search"
                allowClear
                placeholder={`${kind.album}名称`}
                aria-label={`查找${kind.album}`}
                defaultValue={wanted}
                onSearch={keyword => setSearch(keyword === '' ? {} : { keyword })}
              />
              {list.length === 0 && loose === 0 && (
                <Empty description={`还没有${kind.album}：点“新建${kind.album}”建第一个，再上传${kind.item}`} />
              )}
              <ul className="res-albums">
                {wanted === '' && (loose > 0 || list.length > 0) && <LooseAlbum kind={kind} count={loose} />}
                {shown.map(folder => (
                  <Album
                    key={folder.id}
                    kind={kind}
                    folder={folder}
                    at={list.indexOf(folder)}
                    last={list.length - 1}
                    onEdit={() => edit(folder)}
                    onRemove={() => void remove(folder)}
                    onMove={by => void move(list, list.indexOf(folder), by)}
                  />
                ))}
              </ul>
              {wanted !== '' && shown.length === 0 && <Empty description={`没有名称包含“${wanted}”的${kind.album}`} />}
            </>
          )
        }}
      </Loaded>
      {dialog}
    </PageFrame>
  )
}

function LooseAlbum({ kind, count }: { kind: Kind; count: number }): ReactNode {
  return (
    <li className="res-album">
      <Link className="res-cover" to={kind.detail} aria-label={`全部${kind.item}`}>
        <span aria-hidden>全部{kind.item}</span>
      </Link>
      <div className="res-album-words">
        <b>全部{kind.item}</b>
        <small>
          其中未归入{kind.album} {count} 个
        </small>
      </div>
    </li>
  )
}

type AlbumProps = {
  kind: Kind
  folder: FolderRow
  at: number
  last: number
  onEdit: () => void
  onRemove: () => void
  onMove: (by: number) => void
}

function Album({ kind, folder, at, last, onEdit, onRemove, onMove }: AlbumProps): ReactNode {
  const may_edit = useCan(folderApi.update) && folder.may_edit
  const items = [
    { key: 'edit', label: '修改', onClick: onEdit },
    { key: 'up', label: '前移', disabled: at === 0, onClick: () => onMove(-1) },
    { key: 'down', label: '后移', disabled: at === last, onClick: () => onMove(1) },
    { key: 'remove', label: '删除', danger: true, onClick: onRemove },
  ]
  return (
    <li className="res-album">
      <Link className="res-cover" to={kind.detail} search={{ folder_id: folder.id }} aria-label={`打开${folder.name}`}>
        {folder.cover === null ? <span aria-hidden>{folder.name.slice(0, 2)}</span> : <img src={folder.cover} alt="" loading="lazy" />}
      </Link>
      <div className="res-album-words">
        <b title={folder.name}>{folder.name}</b>
        <small>
          {folder.items} 个 · {size(folder.bytes)} · {folder.visibility === 1 ? '全校' : (folder.owner_dept_name ?? '本人')}
        </small>
      </div>
      {may_edit && (
        <Dropdown trigger={['click']} menu={{ items }}>
          <Button type="text" size="small" aria-label={`更多 ${folder.name}`}>
            ⋯
          </Button>
        </Dropdown>
      )}
    </li>
  )
}

type Values = { name: string; visibility: number; owner_dept_id?: string | null }
type Node = { id: string; label: string; children: Node[] }
type TreeNode = { value: string; title: string; children: TreeNode[] }
const toTree = (nodes: readonly Node[]): TreeNode[] =>
  nodes.map(node => ({ value: node.id, title: node.label, children: toTree(node.children) }))
const visibilities = Object.entries(folder_visibility).map(([value, label]) => ({ value: Number(value), label }))
const own_department = 2

function FolderDialog({
  kind,
  folder,
  onClose,
  onDone,
}: {
  kind: Kind
  folder?: FolderRow
  onClose: () => void
  onDone: () => void
}): ReactNode {
  const [form] = Form.useForm<Values>()
  const navigate = useNavigate()
  const { busy, refused, run } = useSaving(form)
  const visibility = Form.useWatch('visibility', form)
  const tree = useCall(deptApi.tree, { tree: 'staff' }, { enabled: useCan(deptApi.tree) })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const draft = {
      name: values.name,
      visibility: values.visibility,
      owner_dept_id: values.visibility === own_department ? (values.owner_dept_id ?? null) : null,
    }
    const kept = folder ? { id: folder.id, row_version: folder.row_version } : null
    const saved = await run(
      async () => {
        if (kept) return call(folderApi.update, { ...draft, ...kept }, { quiet: true })
        const { id } = await call(folderApi.add, { ...draft, resource_type: kind.type }, { quiet: true })
        return navigate({ to: kind.detail, search: { folder_id: id } })
      },
      kept ? '修改成功' : '操作成功',
    )
    if (!saved) return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={480}
      title={folder ? `修改${kind.album}` : `新建${kind.album}`}
      okText="保存"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="folder" layout="vertical" initialValues={folder ?? { visibility: 1 }}>
        <Form.Item name="name" label="名称" rules={[{ required: true, whitespace: true, message: '请填写名称' }]}>
          <Input maxLength={30} showCount />
        </Form.Item>
        <Form.Item name="visibility" label="谁能看到">
          <Radio.Group options={visibilities} />
        </Form.Item>
        {visibility === own_department && (
          <Form.Item name="owner_dept_id" label="部门" extra="不选表示只有自己和全校管理人员能看到">
            <TreeSelect
              allowClear
              treeData={toTree(tree.data?.list ?? [])}
              showSearch={{ treeNodeFilterProp: 'title' }}
              placeholder="选择部门"
            />
          </Form.Item>
        )}
      </Form>
    </AppModal>
  )
}
