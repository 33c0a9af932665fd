import { freshmenApi } from '@campus/people/contract'
import type { FreshmanDocument, FreshmanFile, SeasonMaterial } from '@campus/people/contract'
import { call, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Descriptions, Tag } from 'antd'
import type { ReactNode } from 'react'
import { state_colors, state_names } from './freshmen-words.ts'
import { GroupForm } from './group-form.tsx'
import { ReviewDocuments } from './review-documents.tsx'
import type { Review } from './use-review.ts'

type Props = { id: string; review: Review; refuse: () => void }

/** One application: what was filled in, what the school knows already, what was decided before. */
export function ReviewFile({ id, review, refuse }: Props): ReactNode {
  const query = useQuery({ queryKey: [freshmenApi.detail.call, id], queryFn: ({ signal }) => call(freshmenApi.detail, { id }, { signal, quiet: true }) })
  const { data: file } = query
  if (!file) return <PartState query={query} rows={8} />
  const is_uploaded = file.documents.length > 0 || file.materials.some(one => one.upload !== 'none')
  return (
    <article data-ready="file">
      <header className="fresh-file-head">
        <h2>{file.user_name}</h2>
        <Tag color={state_colors[file.state]}>{state_names[file.state]}</Tag>
        <span>{file.apply_no} · {instantText(file.applied_at)} 提交</span>
        {file.state === '1' && (
          <>
            <Button type="primary" loading={review.busy} onClick={() => void review.pass([file.id])}>通过</Button>
            <Button danger disabled={review.busy} onClick={refuse}>驳回</Button>
          </>
        )}
      </header>
      <Banners file={file} />
      <div className="fresh-sides">
        <Descriptions size="small" bordered column={1} items={file.filled.map(({ prop, label, value }) => ({ key: prop, label, children: value }))} />
        <div className="fresh-beside">
          {is_uploaded && <section><h3>上传的材料</h3><ReviewDocuments key={file.id} documents={file.documents} again={() => void query.refetch()} /></section>}
          {file.materials.length > 0 && <section><h3>须核验的材料</h3><ul>{file.materials.map(one => <li key={one.name}>{materialText(one, file.documents)}</li>)}</ul></section>}
          <section><h3>分班依据</h3><GroupForm key={file.row_version} file={file} /></section>
          <section>
            <h3>审核记录</h3>
            {file.reviews.length === 0 ? <p>尚未审核</p> : <ul>{file.reviews.map(one => <li key={one.reviewed_at}>{reviewText(one)}</li>)}</ul>}
          </section>
        </div>
      </div>
    </article>
  )
}

function materialText({ name, upload }: SeasonMaterial, documents: readonly FreshmanDocument[]): string {
  const count = documents.filter(one => one.material === name).length
  if (count > 0) return `${name}（已上传 ${count} 个）`
  return upload === 'none' ? name : `${name}（未上传）`
}

function reviewText({ level, verdict, reason, reviewed_by, reviewed_at }: FreshmanFile['reviews'][number]): string {
  return `${instantText(reviewed_at)} ${reviewed_by} ${level === 1 ? '初审' : '复审'}${verdict === 'pass' ? '通过' : `驳回：${reason ?? ''}`}`
}

/** A file in the school, brothers and sisters, doubts about the number. */
function Banners({ file: { known, siblings, warnings, reason, state } }: { file: FreshmanFile }): ReactNode {
  return (
    <>
      {reason !== null && <Alert type="info" showIcon title={`${state === '7' ? '放弃原因' : '驳回原因'}：${reason}`} />}
      {known && <Alert type="warning" showIcon title={`该证件号在本校已有档案：${known.user_name}（${known.label ?? '不在班级中'}）`} />}
      {siblings.length > 0 && <Alert type="info" showIcon title={`本校在读兄弟姐妹：${siblings.map(one => `${one.user_name}（${one.label ?? ''}）`).join('、')}`} />}
      {warnings.map(text => <Alert key={text} type="warning" showIcon title={text} />)}
    </>
  )
}
