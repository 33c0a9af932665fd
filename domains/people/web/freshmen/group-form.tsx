import { freshmenApi } from '@campus/people/contract'
import type { FreshmanFile } from '@campus/people/contract'
import { call, useSaving } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { Alert, Button, Input, InputNumber } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useFreshmenChanged } from './use-seasons.ts'

const best_score = 9999

/** Score and groups of one child, which the placement goes by. */
export function GroupForm({ file }: { file: FreshmanFile }): ReactNode {
  const [score, setScore] = useState<number | null>(file.score)
  const [twin, setTwin] = useState(file.twin_group ?? '')
  const [apart, setApart] = useState(file.apart_group ?? '')
  const { busy, refused, run } = useSaving()
  const changed = useFreshmenChanged()
  const is_same = score === file.score && twin === (file.twin_group ?? '') && apart === (file.apart_group ?? '')
  const is_wrong = score !== null && (score < 0 || score > best_score)
  const save = async () => {
    const draft = { id: file.id, row_version: file.row_version, score, twin_group: twin || null, apart_group: apart || null }
    if (await run(() => call(freshmenApi.update, draft, { quiet: true }), '设置成功')) await changed()
  }
  return (
    <div className="fresh-group">
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <label htmlFor="score">成绩</label><InputNumber<string | number> id="score" precision={2} parser={readNumber} status={is_wrong ? 'error' : ''} value={score} onChange={value => setScore(value === null ? null : Number(value))} />
      {is_wrong && <small role="alert">请输入0-{best_score}之间的成绩</small>}
      <label htmlFor="twin_group">同班组</label><Input id="twin_group" maxLength={32} placeholder="相同的编入同一班，如双胞胎" value={twin} onChange={event => setTwin(event.target.value)} />
      <label htmlFor="apart_group">分开组</label><Input id="apart_group" maxLength={32} placeholder="相同的编入不同班" value={apart} onChange={event => setApart(event.target.value)} />
      <Button size="small" disabled={is_same || is_wrong} loading={busy} onClick={() => void save()}>保存</Button>
    </div>
  )
}
