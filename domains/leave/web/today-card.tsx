import { applyApi } from '@campus/leave/contract'
import { useCall } from '@kit/web/part'
import { CardBody, CardFigures } from '@kit/web/dashboard'
import type { ReactNode } from 'react'

const record = '/StuLeaveRecord'

/** Who is on leave today, and what is open about it. */
export function TodayCard(): ReactNode {
  return (
    <CardBody query={useCall(applyApi.today, {})}>
      {({ people, outside, waiting, overdue }) => (
        <CardFigures
          figures={[
            { label: '请假', value: people, to: record },
            { label: '已离校', value: outside, to: record },
            { label: '待审批', value: waiting, to: record },
            { label: '逾期未归', value: overdue, to: record, tone: 'bad' },
          ]}
        />
      )}
    </CardBody>
  )
}
