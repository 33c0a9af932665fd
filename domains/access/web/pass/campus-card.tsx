import { wallApi } from '@campus/access/contract'
import { useCall } from '@kit/web/part'
import { CardBody, CardFigures } from '@kit/web/dashboard'
import type { ReactNode } from 'react'

const wall = '/SchoolEnterExit'

/** Who is on campus now, and what passed the gates today. */
export function CampusCard(): ReactNode {
  return (
    <CardBody query={useCall(wallApi.summary, {})}>
      {({ student, teacher, visitors, in_count, out_count, denied_count }) => (
        <CardFigures
          figures={[
            { label: '学生在校', value: student.inside, to: wall, tone: 'good' },
            { label: '教职工在校', value: teacher.inside, to: wall },
            { label: '访客', value: visitors, to: '/VisitorEnterExit' },
            { label: '进', value: in_count, to: wall },
            { label: '出', value: out_count, to: wall },
            { label: '被拒绝', value: denied_count, to: wall, tone: 'bad' },
          ]}
        />
      )}
    </CardBody>
  )
}
