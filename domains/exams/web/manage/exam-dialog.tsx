import { grade_codes } from '@campus/calendar/contract'
import { absent_modes, exam_fields, examApi, examErrors, isCompulsory, policyFindings, rank_modes, score_modes } from '@campus/exams/contract'
import type { ExamRow } from '@campus/exams/contract'
import { AppModal, call, leaving, ruleOf, useDictionary, useMay, useSaving } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { useCall } from '@kit/web/part'
import { Alert, DatePicker, Form, Input, Select, Switch } from 'antd'
import type { ReactNode } from 'react'

type Day = ReturnType<typeof dayjs>
type Props = { exam: ExamRow | null; onClose: () => void; onDone: (exam: ExamRow) => void }
type Facts = Pick<ExamRow, 'exam_name' | 'exam_kind' | 'score_mode' | 'show_rank' | 'absent_as' | 'double_entry'>
type Values = Facts & { semester_id: number; grades: (typeof grade_codes)[number][]; days: [Day,
  Day]; decimals: 0 | 1; override_reason?: string }
const homes = { [examErrors.nameTaken.id]: 'exam_name', [examErrors.outsideTerm.id]: 'days', [examErrors.semesterUnknown.id]: 'semester_id' }
const optionsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))

/** 设置: name, kind, days, grades and what readers will see; what the policy forbids is said while it is chosen (chapter 55 rule 22). */
export function ExamDialog({ exam, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const [kinds, grades] = [useDictionary('EXAM_KIND'), useDictionary('GRADE')]
  const terms = useCall(examApi.terms, {})
  const may = useMay()
  const values = Form.useWatch([], form)
  const chosen: readonly string[] = values?.grades ?? []
  const found = values?.exam_kind ? policyFindings({ exam_kind: values.exam_kind, grades: chosen, score_mode: values.score_mode, show_rank: values.show_rank }, new Map()) : []
  const save = async () => {
    const { days: [begin, end], semester_id, grades: of, override_reason, ...rest } = await form.validateFields()
    const facts = { ...rest, begin_date: begin.format('YYYY-MM-DD'), end_date: end.format('YYYY-MM-DD'), override_reason: override_reason?.trim() ? override_reason : null }
    const send = async () => {
      const answer = exam ? await call(examApi.update, { exam_id: exam.exam_id, row_version: exam.row_version, ...facts }, { quiet: true }) : await call(examApi.add, { ...facts, semester_id, grades: of }, { quiet: true })
      onDone(answer.row)
    }
    if (await run(send, exam ? '设置成功' : '添加成功')) onClose()
  }
  const initial = exam
    ? { ...exam, grades: grade_codes.filter(code => exam.grades.includes(code)), days: [dayjs(exam.begin_date), dayjs(exam.end_date)], override_reason: exam.override_reason ?? undefined }
    : { semester_id: terms.data?.current ?? undefined, score_mode: 'score', show_rank: 'none', absent_as: 'exclude', decimals: 1,
      double_entry: false }
  return (
    <AppModal open width={640} title={exam ? `考试设置：${exam.exam_name}` : '新建考试'} okText="保存" confirmLoading={busy} onOk={() => void save().catch(() => undefined)} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {found.length > 0 && <Alert type="warning" showIcon title={[...new Set(found.map(one => examErrors[one.code].msg))].join('；')} />}
      <Form key={terms.data === undefined ? 'wait' : 'form'} form={form} name="exam" layout="vertical" className="exam-fields" initialValues={initial}>
        <Form.Item name="exam_name" label="考试名称" required className="exam-wide" rules={[ruleOf(exam_fields.exam_name)]}><Input maxLength={50} showCount /></Form.Item>
        <Form.Item name="exam_kind" label="考试类型" required rules={[{ required: true, message: '请选择考试类型' }]}><Select showSearch={{ optionFilterProp: 'label' }} options={kinds.map(({ value, label }) => ({ value, label }))} /></Form.Item>
        <Form.Item name="semester_id" label="学期" required rules={[{ required: true, message: '请选择学期' }]}><Select disabled={exam !== null} options={(terms.data?.list ?? []).map(one => ({ value: one.semester_id, label: one.name }))} /></Form.Item>
        <Form.Item name="grades" label="年级" required className="exam-wide" rules={[{ required: true, message: '请选择年级' }]}><Select mode="multiple" showSearch={{ optionFilterProp: 'label' }} disabled={exam !== null} options={grade_codes.map(value => ({ value, label: grades.find(one => one.value === value)?.label ?? value }))} /></Form.Item>
        <Form.Item name="days" label="考试日期" required rules={[{ required: true, message: '请选择考试日期' }]}><DatePicker.RangePicker className="kit-fill" /></Form.Item>
        <Form.Item name="absent_as" label="缺考计入平均分" extra="发布成绩后不能修改"><Select options={optionsOf(absent_modes)} /></Form.Item>
        <Form.Item name="score_mode" label="家长看到" extra={chosen.some(isCompulsory) ? '义务教育阶段只能公布等级' : undefined}><Select options={optionsOf(score_modes)} /></Form.Item>
        <Form.Item name="show_rank" label="公布排名"><Select options={optionsOf(rank_modes)} /></Form.Item>
        <Form.Item name="decimals" label="小数位数"><Select options={[{ value: 0, label: '整数' }, { value: 1, label: '一位小数' }]} /></Form.Item>
        <Form.Item name="double_entry" label="两人录分" valuePropName="checked" extra="同一成绩由两位老师各录一次，一致后才能提交"><Switch /></Form.Item>
        {(found.length > 0 || exam?.override_reason) && may('exams.policy.override') && <Form.Item name="override_reason" label="突破政策的原因" className="exam-wide" extra="原因显示在考试页面并写入操作日志"><Input.TextArea maxLength={200} showCount rows={2} /></Form.Item>}
      </Form>
    </AppModal>
  )
}
