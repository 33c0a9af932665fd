import { routes } from '@kit/contract'

/** Console routes of the leave domain. */
export const leaveRoutes = routes([
  { id: 1202, path: '/LeaveReason', code: 'LeaveReason', title: '离校原因', group: 'service', icon: 'FormOutlined', order: 2, school_types: [1], need: 'leave.reason.view' },
  { id: 1203, path: '/LeaveDesign', code: 'LeaveDesign', title: '请假表单设计', group: 'service', icon: 'HighlightOutlined', order: 3, school_types: [1, 2], need: 'leave.form.view' },
  { id: 1305, path: '/StuLeaveRecord', code: 'StuLeaveRecord', title: '学生请假记录', group: 'statistics', icon: 'FileTextOutlined', order: 5, school_types: [1], need: 'leave.apply.view' },
  { id: 1306, path: '/LeaveLiaoYang', code: 'LeaveLiaoYang', title: '疗养请假记录', group: 'statistics', icon: 'MedicineBoxOutlined', order: 6, school_types: [1, 2], need: 'leave.record.view' },
])
