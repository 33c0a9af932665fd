import { faceBatchApi, faceItemList, lane_names } from '@campus/faces/contract'
import type { FaceBatch, FaceItem } from '@campus/faces/contract'
import { AppModal, call, sentenceOf } from '@kit/web'
import { useAct } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { useCall } from '@kit/web/part'
import { useUploader } from '@kit/web/upload'
import { Alert, Button, Progress, Radio, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { readChosen } from './batch-files.ts'
import { registerFiles, runBatch } from '@campus/faces/contract'
import type { Chosen, Ways } from '@campus/faces/contract'

type Frame = { kind: 1 | 2 | 3; onClose: () => void; onDone: () => void }
const lanes = ['done', 'same', 'skipped', 'no_person', 'upload', 'not_face', 'poor', 'unverified'] as const
const lane_colors: Readonly<Record<(typeof lanes)[number], string>> = { done: 'green', same: 'default', skipped: 'default', no_person: 'red', upload: 'red', not_face: 'red', poor: 'red', unverified: 'orange' }
const names: Readonly<Record<string, string>> = lane_names
const columns: TableColumnType<FaceItem>[] = [
  { title: '文件名', dataIndex: 'file_name', ellipsis: true },
  { title: '姓名', dataIndex: 'user_name', width: 100 },
  { title: '结果', key: 'lane', width: 120, render: (_, row) => <Tag color={lanes.filter(lane => lane === row.lane).map(lane => lane_colors[lane])[0]}>{row.lane === null ? '处理中' : names[row.lane]}</Tag> },
  { title: '原因', dataIndex: 'msg', width: 220, ellipsis: true },
]

/** 批量导入: a folder or an archive named by number; a reload in the middle goes on (chapter 40 §5). */
export function BatchDialog({ kind, onClose, onDone }: Frame): ReactNode {
  const mine = useCall(faceBatchApi.mine, { kind })
  const [replaces, setReplaces] = useState(false)
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const [fault, setFault] = useState<string | null>(null)
  const [batch_id, setBatch] = useState<string | null>(null)
  const { stage, run, stop } = useRun(onDone)
  const open = (mine.data?.list ?? []).find(batch => batch.is_open)
  const choose = (files: readonly File[]) => readChosen(files).then(found => {
    setChosen(found)
    setFault(null)
  }, (cause: unknown) => setFault(cause instanceof Error ? cause.message : '无法读取文件'))
  const begin = async (resumed?: FaceBatch) => {
    setFault(null)
    try {
      const { batch_id: id, items } = resumed ? await resume(resumed) : await registerFiles(quietly, kind, replaces, chosen)
      setBatch(id)
      await run(id, items, filesFor(items, chosen, resumed !== undefined))
    } catch (cause) {
      setFault(sentenceOf(cause))
    }
    onDone()
    void mine.refetch()
  }
  const close = () => {
    stop()
    onClose()
  }
  return (
    <AppModal open width={880} title="批量导入人脸" footer={null} onCancel={close}>
      {fault !== null && <Alert type="warning" showIcon title={fault} />}
      {open && stage === null && <Unfinished batch={open} has_files={chosen.length > 0} onGoOn={() => void begin(open)} onEnded={() => void mine.refetch()} />}
      {stage === null && <Choose chosen={chosen} replaces={replaces} setReplaces={setReplaces} choose={files => void choose(files)} begin={() => void begin()} />}
      {batch_id !== null && <Result batch_id={batch_id} stage={stage} />}
    </AppModal>
  )
}

/** The dialog shows by itself what the server refuses. */
const quietly: Pick<Ways, 'call' | 'faultOf'> = { call: (endpoint, input) => call(endpoint, input, { quiet: true }), faultOf: sentenceOf }

/** What waits of a batch: what has arrived goes on at once, the rest needs its files again. */
async function resume({ batch_id }: FaceBatch): Promise<{ batch_id: string; items: FaceItem[] }> {
  const { waiting } = await call(faceBatchApi.progress, { batch_id }, { quiet: true })
  return { batch_id, items: waiting }
}

/** The file of each picture; of a batch that goes on by name and size. */
function filesFor(items: readonly FaceItem[], chosen: readonly Chosen[], is_resumed: boolean): Map<number, File> {
  if (!is_resumed) return new Map(chosen.map(one => [one.item_seq, one.file]))
  return new Map(items.flatMap(item => {
    const found = chosen.find(one => one.file_name === item.file_name && one.file.size === item.size)
    return found ? [[item.item_seq, found.file]] : []
  }))
}

function useRun(onDone: () => void) {
  const [stage, setStage] = useState<string | null>(null)
  const [, setSteps] = useState(0)
  const uploader = useUploader({ purpose: 'face', prepare: 'photo' })
  const way = useRef<AbortController | null>(null)
  const run = async (batch_id: string, items: readonly FaceItem[], files: ReadonlyMap<number, File>) => {
    const { signal } = (way.current = new AbortController())
    setStage('上传照片')
    try {
      const send = (file: File, until: AbortSignal) => uploader.send(file, { signal: until }).then(sent => sent.file_key)
      const ways = { ...quietly, send }
      await runBatch({ ways, batch_id, items, files, signal, onStage: setStage, onStep: () => setSteps(steps => steps + 1) })
      if (!signal.aborted && items.every(item => item.step > 0 || files.has(item.item_seq))) await call(faceBatchApi.close, { batch_id }, { quiet: true })
    } finally {
      setStage(null)
      onDone()
    }
  }
  return { stage, run, stop: () => way.current?.abort() }
}

type ChooseProps = { chosen: readonly Chosen[]; replaces: boolean; setReplaces: (on: boolean) => void; choose: (files: readonly File[]) => void; begin: () => void }

function Choose({ chosen, replaces, setReplaces, choose, begin }: ChooseProps): ReactNode {
  const folder = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const take = (box: HTMLInputElement) => {
    choose([...(box.files ?? [])])
    box.value = ''
  }
  const openFolder = () => {
    // React knows no property for it.
    folder.current?.setAttribute('webkitdirectory', '')
    folder.current?.click()
  }
  return (
    <>
      <ul className="face-hints">
        <li>照片以学号或工号命名：2024001.jpg、2024001_张三.jpg；没有重名时也可用姓名</li>
        <li>选择文件夹、多张照片或ZIP压缩包，一次最多5000张；关闭页面后可再次打开继续</li>
      </ul>
      <input ref={folder} type="file" multiple hidden aria-label="选择照片文件夹" onChange={({ target }) => take(target)} />
      <input ref={files} type="file" multiple hidden accept=".jpg,.jpeg,.png,.zip" aria-label="选择照片或压缩包" onChange={({ target }) => take(target)} />
      <div className="face-batch-rows">
        <Button onClick={openFolder}>选择文件夹</Button>
        <Button onClick={() => files.current?.click()}>选择照片或ZIP</Button>
        <span>已有人脸：</span>
        <Radio.Group value={replaces} onChange={({ target }) => setReplaces(Boolean(target.value))} options={[{ value: false, label: '跳过' }, { value: true, label: '替换' }]} />
      </div>
      {chosen.length > 0 && <p role="status">已选择 <b className="kit-number">{chosen.length}</b> 张：{chosen.slice(0, 5).map(one => one.file_name.split('/').at(-1)).join('、')}{chosen.length > 5 ? '…' : ''}</p>}
      <Button type="primary" disabled={chosen.length === 0} onClick={begin}>开始导入</Button>
    </>
  )
}

function Unfinished({ batch, has_files, onGoOn, onEnded }: { batch: FaceBatch; has_files: boolean; onGoOn: () => void; onEnded: () => void }): ReactNode {
  const { busy, act } = useAct([], onEnded)
  const over = Object.values(batch.lanes).reduce((sum, n) => sum + n, 0)
  const end = () => act(() => call(faceBatchApi.close, { batch_id: batch.batch_id }, { quiet: true }), { ask: { title: '结束上次导入？', touches: `${batch.total - over}张未完成的照片不再导入。`, ok: '结束' }, done: '已结束' })
  return (
    <Alert
      type="info" showIcon className="face-unfinished"
      title={`上次导入还有${batch.total - over}张未完成（${batch.progress}%）`}
      description={has_files ? '已选择文件，点“继续”上传其余照片。' : '已上传的照片可直接继续；其余照片请先重新选择同一文件夹，按文件名和大小自动续传。'}
      action={<><Button size="small" type="primary" onClick={onGoOn}>继续</Button> <Button size="small" loading={busy} onClick={() => void end()}>结束</Button></>}
    />
  )
}

const look_ms = 1500

/** How far a batch is, its lanes, and the pictures that did not come in. */
function Result({ batch_id, stage }: { batch_id: string; stage: string | null }): ReactNode {
  const progress = useLooked(batch_id, stage !== null)
  const items = useCall(faceBatchApi.items, { batch_id, faulty: 'any', page_size: 100 }, { enabled: stage === null, keep: true })
  const batch = progress.data?.batch
  if (!batch) return null
  return (
    <section aria-label="导入进度">
      <Progress percent={batch.progress} aria-label="导入进度" format={percent => `${percent}%${stage === null ? '' : ` ${stage}`}`} />
      <ul className="face-lanes">
        {lanes.map(lane => <li key={lane}><Tag color={lane_colors[lane]}>{names[lane]}</Tag><b>{batch.lanes[lane] ?? 0}</b></li>)}
      </ul>
      {stage === null && (
        <>
          <p role="status">共 {batch.total} 张，已结束 {Object.values(batch.lanes).reduce((sum, n) => sum + n, 0)} 张。<ListExport of={{ total: items.data?.total ?? 0, values: { batch_id, faulty: 'any' } }} fact={faceItemList} call={faceBatchApi.exportErrors} label="导出错误" /></p>
          <Table<FaceItem> size="small" rowKey="item_seq" pagination={false} scroll={{ y: 260 }} columns={columns} dataSource={items.data?.list ?? []} locale={{ emptyText: '全部成功' }} />
        </>
      )}
    </section>
  )
}

/** Looked up again and again while the batch runs. */
function useLooked(batch_id: string, runs: boolean) {
  const query = useCall(faceBatchApi.progress, { batch_id }, { keep: true })
  const { refetch } = query
  useEffect(() => {
    void refetch()
    if (!runs) return
    const timer = window.setInterval(() => void refetch(), look_ms)
    return () => window.clearInterval(timer)
  }, [refetch, runs])
  return query
}
