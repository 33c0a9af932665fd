import type { FreshmenSeason } from '@campus/people/contract'
import { confirmDanger, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { Alert, Button, Empty, Tag } from 'antd'
import type { ReactNode } from 'react'
import { PlaceColumns } from './place-columns.tsx'
import { useBoard } from './use-board.ts'
import type { Board } from './use-board.ts'

/** 分班: draw, look, move by hand, adopt. */
export function PlaceTab({ season }: { season: FreshmenSeason }): ReactNode {
  const board = useBoard(season.id)
  const { query, saving } = board
  if (query.data === undefined) return <PartState query={query} rows={8} />
  const drawn = query.data
  const admitted = season.counts['4'] + season.counts['6']
  const is_over = season.state === 'finished'
  const is_settled = drawn?.state === 'adopted' && board.moved === 0
  const draw = async (is_anew: boolean) => {
    if (is_anew && !(await confirmDanger({ title: '重新分班后，还没有报到的新生可能换到别的班级，确定吗？', ok: '全部重新分班' }))) return
    await board.run(is_anew)
  }
  const adopt = async () => {
    if (await confirmDanger({ title: `采用后 ${drawn?.children.length ?? 0} 名新生编入所列班级，抽签种子随即公布，确定采用吗？`, ok: '采用' })) await board.adopt()
  }
  return (
    <section className="fresh-place" aria-label="分班" data-ready="place">
      {saving.refused !== null && <Alert type="warning" showIcon title={saving.refused} />}
      {drawn?.is_stale && (is_settled ? <Alert type="info" showIcon title="采用之后录取名单、成绩分组或班级有变化。还没有编班的新生点“补充分班”，已编入的不变" /> : <Alert type="warning" showIcon title="录取名单、成绩分组或班级在这次分班后已变化，请重新分班" />)}
      <div className="fresh-place-head">
        <p>已录取 {admitted} 人，已报到 {season.counts['6']} 人{drawn ? ` · ${instantText(drawn.created_at)} 分班` : ''}</p>
        {drawn && <Tag color={drawn.state === 'adopted' ? 'green' : 'orange'}>{drawn.state === 'adopted' ? `已采用${drawn.moved > 0 ? `，手工调整 ${drawn.moved} 人` : ''}` : '待采用'}</Tag>}
        <Button loading={saving.busy} disabled={is_over} onClick={() => void draw(false)}>{drawn ? '补充分班' : '开始分班'}</Button>
        {drawn && <Button disabled={is_over || saving.busy} onClick={() => void draw(true)}>全部重新分班</Button>}
        {board.moved > 0 && <Button onClick={board.undo}>撤销手工调整（{board.moved}）</Button>}
        {drawn?.state === 'draft' && <Button type="primary" loading={saving.busy} disabled={drawn.is_stale || board.figures?.broken.length !== 0} onClick={() => void adopt()}>采用</Button>}
      </div>
      {drawn && board.figures ? <Spread board={board} is_settled={is_settled} /> : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有分班：结束报名、录取新生并选好班级后，点“开始分班”" />}
      {drawn && <PlaceColumns drawn={drawn} board={board} />}
    </section>
  )
}

/** How even it is; what breaks a rule is said in words while something can be done about it: classes that were adopted live on. */
function Spread({ board: { figures }, is_settled }: { board: Board; is_settled: boolean }): ReactNode {
  if (!figures) return null
  const { spread, broken } = figures
  const parts = [['人数', spread.size], ['男生', spread.boys], ['平均成绩', spread.mean], ['前10%人数', spread.top], ['留守', spread.left_behind], ['住校', spread.boarders]] as const
  return (
    <>
      <p className="fresh-spread" aria-live="polite">各班最大相差：{parts.map(([name, n]) => `${name} ${n}`).join(' · ')}</p>
      {!is_settled && broken.length > 0 && <Alert type="error" showIcon title="还不符合分班规则" description={<ul>{broken.map(text => <li key={text}>{text}</li>)}</ul>} />}
    </>
  )
}
