import { decay_names, evidence_names, giver_names, pointsText, starTypeApi, subject_names } from '@campus/evaluation/contract'
import type { StarType } from '@campus/evaluation/contract'
import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { call, Can, PageFrame } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Card, Empty, Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { StarBadge } from './star-badge.tsx'

const TypeDialog = lazyDialog(() => import('./type-dialog.tsx').then(part => part.TypeDialog))
const one_sided = 40
const nameIn = (names: Readonly<Record<number, string>>, code: number) => names[code] ?? ''

/** 评星类型: dimensions with their indicators, what each gives, who may give it, how it is used (chapter 55 §5). */
export default function StarTypes(): ReactNode {
  const tree = useCall(starTypeApi.tree, {})
  const { open, close, dialog } = useDialog()
  const { busy, act } = useAct([starTypeApi.tree])
  const edit = (type: StarType | null, superior: StarType | null) =>
    open(<TypeDialog type={type} superior={superior} onClose={close} onDone={() => void tree.refetch()} />)
  const remove = (type: StarType) =>
    act(() => call(starTypeApi.remove, { id: type.id }, { quiet: true }), {
      ask: { title: `确定删除“${type.star_name}”吗？`, ok: '删除' },
      done: '已删除',
    })
  const move = (of: readonly StarType[], at: number, by: number) => {
    const ids = of.map(one => one.id)
    const [moved = ''] = ids.splice(at, 1)
    ids.splice(at + by, 0, moved)
    return act(() => call(starTypeApi.order, { star_type_ids: ids }, { quiet: true }))
  }
  return (
    <PageFrame
      ready="page"
      actions={
        <Can code={starTypeApi.add}>
          <Button type="primary" onClick={() => edit(null, null)}>
            新增维度
          </Button>
        </Can>
      }
    >
      <Loaded query={tree}>
        {({ list }) => {
          const dimensions = list.filter(one => one.superior_id === null)
          if (dimensions.length === 0) return <Empty description="还没有评星类型：点“新增维度”建立第一个维度，再在维度下新增指标" />
          return (
            <div className="star-dimensions">
              {dimensions.map((dimension, at) => (
                <Dimension
                  key={dimension.id}
                  dimension={dimension}
                  indicators={list.filter(one => one.superior_id === dimension.id)}
                  busy={busy}
                  edit={edit}
                  remove={type => void remove(type)}
                  move={(of, place, by) => void move(of, place, by)}
                  shift={by => void move(dimensions, at, by)}
                  is_first={at === 0}
                  is_last={at === dimensions.length - 1}
                />
              ))}
            </div>
          )
        }}
      </Loaded>
      {dialog}
    </PageFrame>
  )
}

type DimensionProps = {
  dimension: StarType
  indicators: readonly StarType[]
  busy: boolean
  is_first: boolean
  is_last: boolean
  edit: (type: StarType | null, superior: StarType | null) => void
  remove: (type: StarType) => void
  move: (of: readonly StarType[], at: number, by: number) => void
  shift: (by: number) => void
}

function Dimension({ dimension, indicators, busy, edit, remove, move, shift, is_first, is_last }: DimensionProps): ReactNode {
  const name = dimension.star_name
  return (
    <Card
      size="small"
      title={
        <>
          <StarBadge icon={dimension.icon} colour={dimension.colour} /> {name} {!dimension.enabled && <Tag>已停用</Tag>}
        </>
      }
      extra={
        <Can code={starTypeApi.update}>
          <Arrows name={name} busy={busy} is_first={is_first} is_last={is_last} onMove={shift} />
          <Button type="link" size="small" aria-label={`编辑 ${name}`} onClick={() => edit(dimension, null)}>
            编辑
          </Button>
          <Button type="link" size="small" danger aria-label={`删除 ${name}`} onClick={() => remove(dimension)}>
            删除
          </Button>
          <Button size="small" onClick={() => edit(null, dimension)}>
            新增指标
          </Button>
        </Can>
      }
    >
      {indicators.length === 0 && <p className="star-hint">还没有指标，点“新增指标”</p>}
      <ul className="star-indicators">
        {indicators.map((one, at) => (
          <li key={one.id} data-off={one.enabled ? undefined : ''}>
            <StarBadge icon={one.icon} colour={one.colour} />
            <span className="star-words">
              <b>{one.star_name}</b> <Tag color={one.sign < 0 ? 'red' : 'green'}>{pointsText(one.step * one.sign)}</Tag>
              {!one.enabled && <Tag>已停用</Tag>}
              <small>{rulesText(one)}</small>
              <small>
                <Usage type={one} />
              </small>
            </span>
            <Can code={starTypeApi.update}>
              <Arrows
                name={one.star_name}
                busy={busy}
                is_first={at === 0}
                is_last={at === indicators.length - 1}
                onMove={by => move(indicators, at, by)}
              />
              <Button type="link" size="small" aria-label={`编辑 ${one.star_name}`} onClick={() => edit(one, dimension)}>
                编辑
              </Button>
              <Button type="link" size="small" danger aria-label={`删除 ${one.star_name}`} onClick={() => remove(one)}>
                删除
              </Button>
            </Can>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Arrows({
  name,
  busy,
  is_first,
  is_last,
  onMove,
}: {
  name: string
  busy: boolean
  is_first: boolean
  is_last: boolean
  onMove: (by: number) => void
}): ReactNode {
  return (
    <>
      <Button
        type="text"
        size="small"
        icon={<ArrowUpOutlined />}
        aria-label={`上移 ${name}`}
        disabled={busy || is_first}
        onClick={() => onMove(-1)}
      />
      <Button
        type="text"
        size="small"
        icon={<ArrowDownOutlined />}
        aria-label={`下移 ${name}`}
        disabled={busy || is_last}
        onClick={() => onMove(1)}
      />
    </>
  )
}

/** 学生 · 任课教师、班主任可评 · 每周20次 · 半衰期30天 */
function rulesText(type: StarType): string {
  const givers = type.givers.length === 0 ? '有评星权限的人员' : type.givers.map(code => nameIn(giver_names, code)).join('、')
  return [
    nameIn(subject_names, type.subject_kind),
    `${givers}可评`,
    type.giver_week_quota === null ? '不限次数' : `每人每周${type.giver_week_quota}次`,
    type.person_day_max === null ? '' : `每个对象每日最多${type.person_day_max}次`,
    type.decay === 1 ? `半衰期${type.half_life_days ?? ''}天` : nameIn(decay_names, type.decay),
    type.evidence === 0 ? '' : `须${nameIn(evidence_names, type.evidence)}`,
    type.approve ? '须审核' : '',
    type.show_public ? '' : '不公开',
  ]
    .filter(Boolean)
    .join(' · ')
}

function Usage({ type: { usage } }: { type: StarType }): ReactNode {
  if (usage.n === 0) return '近30天未使用'
  const text = `近30天 ${usage.n}次，${usage.givers}人评定，平均${pointsText(usage.mean_milli)}分`
  if (usage.top_share <= one_sided || usage.givers < 2) return text
  return (
    <>
      {text}{' '}
      <Tooltip title="一位教师的评定占比过高，排行可能偏向其任教班级">
        <Tag color="orange">一人占{usage.top_share}%</Tag>
      </Tooltip>
    </>
  )
}
