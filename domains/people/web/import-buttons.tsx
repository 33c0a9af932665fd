import { Can } from '@kit/web'
import { ImportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { RecordTab } from './record-search.ts'

/** The imports of 学生家长档案: template, title and permission. */
export const recordImports = [
  { template: 'student', title: '学生信息导入', label: '导入学生', need: 'people.student.import', tab: 'student' },
  { template: 'parent', title: '家长信息导入', label: '导入家长', need: 'people.parent.import', tab: 'parent' },
] as const

/** The permission by which this list is imported. */
export function importNeed(tab: RecordTab): string {
  return recordImports.find(item => item.tab === tab)?.need ?? ''
}

/** One button for each import the identity may run. Where nobody is yet the one of the shown list stands alone (`only`) as the next step; beside 新增 it is one of several ways. */
export function ImportButtons({ tab, only, open }: { tab: RecordTab; only?: boolean; open: (template: string) => void }): ReactNode {
  return recordImports.filter((item) => !only || item.tab === tab).map((item) => (
    <Can key={item.template} code={item.need}>
      <Button type={only ? 'primary' : 'default'} icon={<ImportOutlined aria-hidden />} onClick={() => open(item.template)}>
        {item.label}
      </Button>
    </Can>
  ))
}
