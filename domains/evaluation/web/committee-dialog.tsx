import { committeeApi, course_post, elected_names, mostHolders, post_names } from '@campus/evaluation/contract'
import type { Committee, Holder } from '@campus/evaluation/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { DeleteOutlined } from '@ant-design/icons'
import { Alert, Button, DatePicker, Form, Select } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'

type Post = { post_code?: string; course_id?: string | null; user_id?: string; elected_by?: number }
type Values = { from: Dayjs; posts: Post[] }
type Props = { committee: Committee; onClose: () => void; onDone: () => void }
const optionsOf = (limits: Committee['limits']) =>
  Object.entries(post_names).map(([value, label]) => ({ value, label: `${label}（最多${mostHolders(value, limits)}人）` }))
const elected_options = Object.entries(elected_names).map(([value, label]) => ({ value: Number(value), label }))

/** The committee from a day on; who is left out ends that day, history stays. */
export function CommitteeDialog({ committee, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const posts = values.posts.map(postOf)
    const from = values.from.format('YYYY-MM-DD')
    const asked = { dept_id: committee.dept_id, from, row_version: committee.row_version, posts }
    if (!(await run(() => call(committeeApi.save, asked, { quiet: true }), '已保存'))) return
    onDone()
    onClose()
  }
  const initial = { from: dayjs(committee.on), posts: committee.list.map(heldPost) }
  return (
    <AppModal
      open
      width={760}
      title={`调整班委 · ${committee.dept_name}`}
      okText="保存"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="committee" layout="vertical" initialValues={initial}>
        <Form.Item name="from" label="生效日期" extra="从该日期起按下表任职，移除的人员从该日期起卸任">
          <DatePicker allowClear={false} />
        </Form.Item>
        <Form.List name="posts">
          {(lines, { add, remove }) => (
            <>
              {lines.map(({ key, name }) => (
                <PostLine key={key} name={name} committee={committee} onRemove={() => remove(name)} />
              ))}
              <Button type="dashed" block onClick={() => add({ elected_by: 1 })}>
                增加职务
              </Button>
            </>
          )}
        </Form.List>
      </Form>
    </AppModal>
  )
}

type LineProps = { name: number; committee: Committee; onRemove: () => void }

function PostLine({ name, committee, onRemove }: LineProps): ReactNode {
  const pupils = committee.pupils.map(one => ({ value: one.user_id, label: one.user_name }))
  const courses = committee.courses.map(one => ({ value: one.course_id, label: one.course_name }))
  return (
    <div className="star-post-line">
      <Form.Item name={[name, 'post_code']} rules={[{ required: true, message: '请选择职务' }]}>
        <Select aria-label="职务" placeholder="职务" options={optionsOf(committee.limits)} />
      </Form.Item>
      <Form.Item noStyle shouldUpdate>
        {({ getFieldValue }) =>
          getFieldValue(['posts', name, 'post_code']) === course_post ? (
            <Form.Item name={[name, 'course_id']} rules={[{ required: true, message: '请选择课程' }]}>
              <Select aria-label="课程" placeholder="课程" options={courses} />
            </Form.Item>
          ) : null
        }
      </Form.Item>
      <Form.Item name={[name, 'user_id']} rules={[{ required: true, message: '请选择学生' }]}>
        <Select aria-label="学生" placeholder="学生" showSearch={{ optionFilterProp: 'label' }} options={pupils} />
      </Form.Item>
      <Form.Item name={[name, 'elected_by']}>
        <Select aria-label="产生方式" options={elected_options} />
      </Form.Item>
      <Button type="text" icon={<DeleteOutlined />} aria-label={`移除第${name + 1}行`} onClick={onRemove} />
    </div>
  )
}

function postOf({ post_code = '', course_id = null, user_id = '', elected_by = 1 }: Post) {
  return { post_code, course_id: post_code === course_post ? course_id : null, user_id, elected_by }
}

function heldPost({ post_code, course_id, user_id, elected_by }: Holder): Post {
  return { post_code, course_id, user_id, elected_by }
}
