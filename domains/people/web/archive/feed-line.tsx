import type { FeedRow } from '@campus/people/contract'
import { instantText, useCan } from '@kit/web'
import { Link } from '@tanstack/react-router'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import { PersonLink } from '../person-page/person-link.tsx'
import { sourceName } from './feed.fields.ts'

const most_shown = 6
const time_at = 11

/** One change: when, whom, what became of what, where it came from and who did it. */
export function FeedLine({ row, need, see }: { row: FeedRow; /** whoever holds it may open the person */ need: string; see: () => void }): ReactNode {
  const facts = [row.user_no, row.dept_name].filter(fact => fact !== null && fact !== '')
  return (
    <li className="feed-line">
      <time className="kit-number" dateTime={row.happened_at}>{instantText(row.happened_at).slice(time_at)}</time>
      <div className="feed-who"><b><PersonLink id={row.user_id} text={row.user_name} need={need} /></b>{facts.length > 0 && <small>{facts.join(' · ')}</small>}</div>
      <Changes changes={row.changes} />
      <div className="feed-from"><Source row={row} /><small>{actorText(row)}</small></div>
      <Button type="link" size="small" aria-label={`查看当时档案 ${row.user_name}`} onClick={see}>当时档案</Button>
    </li>
  )
}

function Changes({ changes }: Pick<FeedRow, 'changes'>): ReactNode {
  if (changes.length === 0) return <p className="feed-changes feed-more">没有字段变化</p>
  return (
    <dl className="feed-changes">
      {changes.slice(0, most_shown).map(({ field, label, before, after }) => (
        <div key={field}>
          <dt>{label}</dt>
          <dd>{before !== null && <del>{before}</del>}{before !== null && ' → '}{after === null ? <em>已清空</em> : <ins>{after}</ins>}</dd>
        </div>
      ))}
      {changes.length > most_shown && <div className="feed-more"><dt>其余</dt><dd>还有 {changes.length - most_shown} 项</dd></div>}
    </dl>
  )
}

/** Where it came from; a command leads to its receipt. */
function Source({ row }: { row: FeedRow }): ReactNode {
  const may_read = useCan('people.change.view')
  if (row.command_id !== null && may_read) return <Link className="kit-link" to="/ChangeRecord" search={{ command_id: row.command_id }}>{sourceName(row.source)}</Link>
  return <Tag title={row.batch_no ?? undefined}>{sourceName(row.source)}{row.batch_no === null ? '' : ` ${row.batch_no}`}</Tag>
}

function actorText({ actor, role_name, acted_for }: FeedRow): string {
  if (actor === null) return '系统'
  const role = role_name === null ? '' : `（${role_name}）`
  return `${actor}${role}${acted_for === null ? '' : ` 代 ${acted_for}`}`
}
