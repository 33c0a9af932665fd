import { committeeApi, elected_names, post_names } from '@campus/evaluation/contract'
import type { ClassTeachers, Committee, Holder } from '@campus/evaluation/contract'
import { Can, PageFrame, schoolToday } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Card, DatePicker, Tag } from 'antd'
import { dayjs } from '@kit/web/day'
import { useState } from 'react'
import type { ReactNode } from 'react'

const CommitteeDialog = lazyDialog(() => import('./committee-dialog.tsx').then(part => part.CommitteeDialog))
const LimitDialog = lazyDialog(() => import('./limit-dialog.tsx').then(part => part.LimitDialog))
const posts: Readonly<Record<string, string>> = post_names
const elected: Readonly<Record<number, string>> = elected_names

/** 班级名片: committee, class teachers and teachers of a class as of a day (chapter 55 rule 47). */
export function ClassCard({ dept_id }: { dept_id: string }): ReactNode {
  const [on, setOn] = useState(schoolToday())
  const committee = useCall(committeeApi.list, { dept_id, on })
  const teachers = useCall(committeeApi.teachers, { dept_id, on })
  const { open, close, dialog } = useDialog()
  const limit = () => open(<LimitDialog onClose={close} onDone={() => void committee.refetch()} />)
  const edit = (loaded: Committee) => open(<CommitteeDialog committee={loaded} onClose={close} onDone={() => void committee.refetch()} />)
  return (
    <>
      <PageFrame
        actions={
          <>
            <Can code={committeeApi.setLimits}>
              <Button onClick={limit}>班委人数</Button>
            </Can>
            <Can code={committeeApi.save}>
              <Button type="primary" disabled={!committee.data} onClick={() => committee.data && edit(committee.data)}>
                调整班委
              </Button>
            </Can>
          </>
        }
      />
      <p>
        <DatePicker aria-label="日期" allowClear={false} value={dayjs(on)} onChange={day => day && setOn(day.format('YYYY-MM-DD'))} />{' '}
        <span className="star-hint">显示所选日期当天的班委</span>
      </p>
      <div className="star-card-parts">
        <Card size="small" title="班主任与任课教师">
          <Loaded query={teachers}>{loaded => <Teachers teachers={loaded} />}</Loaded>
        </Card>
        <Card size="small" title="班委">
          <Loaded query={committee}>{({ list }) => <Holders list={list} />}</Loaded>
        </Card>
      </div>
      {dialog}
    </>
  )
}

function Teachers({ teachers: { heads, list } }: { teachers: ClassTeachers }): ReactNode {
  return (
    <>
      <p>
        班主任：
        {heads.length === 0
          ? '未设置'
          : heads.map(one => (
              <Tag key={one.user_id} color="blue">
                {one.user_name}
              </Tag>
            ))}
      </p>
      {list.length === 0 && <p className="star-hint">本学期还没有任课教师</p>}
      <ul className="star-posts">
        {list.map(one => (
          <li key={one.user_id}>
            <span>{one.courses.join('、')}</span>
            <b>{one.user_name}</b>
          </li>
        ))}
      </ul>
    </>
  )
}

function Holders({ list }: { list: readonly Holder[] }): ReactNode {
  return (
    <>
      {list.length === 0 && <p className="star-hint">该日期没有班委，点“调整班委”设置</p>}
      <ul className="star-posts">
        {list.map(one => (
          <li key={`${one.post_code} ${one.course_id ?? ''} ${one.user_id}`}>
            <span>
              {one.course_name ?? ''}
              {posts[one.post_code]}
            </span>
            <b>{one.user_name}</b>
            <small>
              {elected[one.elected_by]} {one.valid_from}起
              {one.valid_to === null ? '' : `，至${dayjs(one.valid_to).subtract(1, 'day').format('YYYY-MM-DD')}`}
            </small>
          </li>
        ))}
      </ul>
    </>
  )
}
