import { NOTICE_KIND, NOTICE_STATE, reply_names, scene_names } from '@campus/publishing/contract'
import type { PostDetail } from '@campus/publishing/contract'
import { instantText, PageFrame, PageTabs, usePage } from '@kit/web'
import { size } from '@kit/contract/checks'
import { Loaded, useCall } from '@kit/web/part'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Empty, Table, Tag } from 'antd'
import type { ReactNode } from 'react'
import { repeatText } from './check-in-field.tsx'
import { PostStats } from './post-stats.tsx'
import { state_colors, variants } from './variants.ts'
import type { Variant } from './variants.ts'
import '../publishing.css'

export const FamilyDetail = (): ReactNode => <PostPage variant={variants.family} view="content" />
export const StaffDetail = (): ReactNode => <PostPage variant={variants.staff} view="content" />
export const FamilyStats = (): ReactNode => <PostPage variant={variants.family} view="stats" />
export const StaffStats = (): ReactNode => <PostPage variant={variants.staff} view="stats" />
export const CollectionDetail = (): ReactNode => <PostPage variant={variants.collection} view="both" />
export const OldCollectionDetail = (): ReactNode => <PostPage variant={variants.before} view="both" />

type View = 'content' | 'stats' | 'both'
const tabs = [{ key: 'stats', label: '统计' }, { key: 'content', label: '正文' }] as const

/** A post as its readers see it, and what came of it (chapter 60 §5). */
function PostPage({ variant, view }: { variant: Variant; view: View }): ReactNode {
  const { search, setSearch } = usePage()
  const { id } = search
  const query = useCall(variant.api.detail, { id: id ?? '0' }, { enabled: id !== undefined })
  if (id === undefined) return <PageFrame ready="page"><Empty description={<>请先从<Link className="kit-link" to={variant.home}>列表</Link>中选择一条{variant.word}</>} /></PageFrame>
  const tab = view === 'both' ? (search.tab === 'content' ? 'content' : 'stats') : view
  return (
    <PageFrame ready={query.data ? 'page' : query.error ? 'failed' : undefined} actions={query.data && <Actions variant={variant} post={query.data} view={view} />}>
      <Loaded query={query}>
        {post => (
          <div className="pub-page">
            <Head post={post} />
            {view === 'both' && <PageTabs tabs={tabs} value={tab} onChange={next => setSearch({ id, tab: next })} />}
            {tab === 'content' ? <Content post={post} /> : <PostStats variant={variant} post={post} />}
          </div>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Actions({ variant, post, view }: { variant: Variant; post: PostDetail; view: View }): ReactNode {
  return (
    <>
      {post.can.includes('edit') && <Link to={variant.add} search={{ id: post.id }}><Button>{post.sent_at === null ? '编辑' : '修订'}</Button></Link>}
      {view === 'content' && post.sent_at !== null && <Link to={variant.stats} search={{ id: post.id }}><Button type="primary">查看统计</Button></Link>}
      {view === 'stats' && <Link to={variant.detail} search={{ id: post.id }}><Button>查看正文</Button></Link>}
    </>
  )
}

function Head({ post }: { post: PostDetail }): ReactNode {
  const scenes: Readonly<Record<string, string>> = scene_names
  const replies: Readonly<Record<string, string>> = reply_names
  const facts = [['对象', scenes[String(post.scene)]], ['接收人群', post.audience_text], ['发布人', post.author_name], ['发布时间', post.sent_at && instantText(post.sent_at)], ['定时发布', post.sent_at === null && post.publish_at ? instantText(post.publish_at) : null], ['打卡日期', post.repeat_rule && repeatText(post.repeat_rule)], ['截止', post.due_at && instantText(post.due_at)], ['回执', replies[String(post.reply_kind)]]] as const
  return (
    <>
      <h2>{post.title} <Tag color={state_colors[post.state]}>{NOTICE_STATE.names[post.state]}</Tag><Tag>{NOTICE_KIND.names[post.kind]}</Tag>{post.must_read && <Tag color="red">必读</Tag>}</h2>
      <dl className="pub-facts">{facts.filter(([, text]) => text).map(([label, text]) => <div key={label}><dt>{label}</dt><dd>{text}</dd></div>)}</dl>
      {post.recall_reason !== null && <Alert type="warning" showIcon title={`撤回原因：${post.recall_reason}`} />}
      {post.approve_reason !== null && <Alert type="info" showIcon title={`审核意见：${post.approve_reason}`} />}
    </>
  )
}

function Content({ post }: { post: PostDetail }): ReactNode {
  return (
    <>
      <CleanText html={post.content_html} />
      {post.attachments.length > 0 && <ul>{post.attachments.map(file => <li key={file.file_key}><a className="kit-link" href={file.address} download={file.name}>{file.name}</a> <small>{size(file.bytes)}</small></li>)}</ul>}
      {post.form.length > 0 && <><h2>题目</h2><ol>{post.form.map(field => <li key={field.key}>{field.label}{field.required && <Tag color="red">必填</Tag>}{field.options.length > 0 && `：${field.options.join(' / ')}`}</li>)}</ol></>}
      <h2>修订记录</h2>
      <Table
        size="small" rowKey="rev" pagination={false} dataSource={post.revs}
        columns={[{ title: '版本', dataIndex: 'rev', width: 72 }, { title: '标题', dataIndex: 'title' }, { title: '修订人', dataIndex: 'by_name', width: 96 }, { title: '时间', key: 'at', width: 152, render: (_, one) => instantText(one.at) }, { title: '说明', key: 'note', render: (_, one) => `${one.change_note ?? ''}${one.reset_read ? '（要求重读）' : ''}` }]}
      />
    </>
  )
}

/** The text is cleaned by the server when it is written (chapter 60 rule 23): it is shown as it is stored. */
function CleanText({ html }: { html: string }): ReactNode {
  return <div className="pub-content" dangerouslySetInnerHTML={{ __html: html }} />
}
