import { failures } from '@kit/contract'

/** User-facing failures of departments and persons (chapter 20 §2). */
export const peopleErrors = failures('people', {
  deptNameTaken: [409, '同级下已存在同名部门'],
  studentNoTaken: [409, '学号重复'],
  idNoTaken: [409, '身份证号重复'],
  mobileTaken: [409, '手机号已被占用'],
  teacherNoTaken: [409, '工号重复'],
  userNoTaken: [409, '人员编号重复'],
  memberMoved: [409, '该学生已被他人调整，请刷新后重试'],
  staleRow: [409, '数据已被他人修改，请核对差异后再保存'],
  rollNoTaken: [409, '学籍号重复'],
  personDeparted: [409, '该证件号属于离校人员，请办理返校'],
  classFull: [409, '班级人数已达上限'],
  lastGuardian: [409, '至少保留一名监护人'],
  guardianLocked: [409, '该家长也是本校教职工或学生，请在其本人档案中修改'],
  confirmNeeded: [422, '请核对提示内容，确认后再保存'],
  classNeeded: [422, '请选择班级'],
  reasonNeeded: [422, '请填写原因'],
  exportTooBig: [422, '超过可导出行数，请缩小范围'],
  rootMissing: [409, '学校还没有组织架构，请先创建部门'],
})
