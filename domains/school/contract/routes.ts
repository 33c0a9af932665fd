import { routes } from '@kit/contract'
import type { MenuGroup } from '@kit/contract'

/** Groups of the sidebar, in their order. A group without a page the identity may open is not shown. */
export const menuGroups: readonly MenuGroup[] = [
  { id: 200, code: 'home', name: '首页', icon: 'HomeOutlined', order: 1 },
  { id: 300, code: 'archive', name: '档案管理', icon: 'IdcardOutlined', order: 2 },
  { id: 400, code: 'card', name: '卡务管理', icon: 'CreditCardOutlined', order: 3 },
  { id: 500, code: 'face', name: '人脸管理', icon: 'SmileOutlined', order: 4 },
  { id: 600, code: 'device', name: '设备与场所', icon: 'ControlOutlined', order: 5 },
  { id: 700, code: 'access', name: '通行管理', icon: 'SafetyOutlined', order: 6 },
  { id: 800, code: 'education', name: '教务管理', icon: 'ReadOutlined', order: 7 },
  { id: 900, code: 'attendance', name: '考勤管理', icon: 'CarryOutOutlined', order: 8 },
  { id: 1000, code: 'information', name: '信息发布', icon: 'NotificationOutlined', order: 9 },
  { id: 1100, code: 'resource', name: '资源管理', icon: 'FolderOpenOutlined', order: 10 },
  { id: 1200, code: 'service', name: '校园服务', icon: 'CustomerServiceOutlined', order: 11 },
  { id: 1300, code: 'statistics', name: '统计报表', icon: 'BarChartOutlined', order: 12 },
  { id: 1400, code: 'role', name: '角色权限', icon: 'SafetyCertificateOutlined', order: 13 },
  { id: 1500, code: 'system', name: '系统设置', icon: 'SettingOutlined', order: 14 },
]

/** Console routes of the school domain. */
export const schoolRoutes = routes([
  { id: 201, path: '/Dashboard', code: 'Dashboard', title: '首页概览', group: 'home', icon: 'DashboardOutlined', order: 1, school_types: [1, 2], worth_with: 'insight.stat.view' },
  {
    id: 202, path: '/BusDashboard', code: 'BusDashboard', title: '校车数据看板',
    group: 'home', icon: 'CarOutlined', order: 2, hidden: true,
    school_types: [1], need: 'insight.dashboard.view',
  },
  { id: 203, path: '/CusDashboard', code: 'CusDashboard', title: '自定义看板', group: 'home', icon: 'AppstoreAddOutlined', order: 3, school_types: [1, 2], need: 'insight.dashboard.view' },
  { id: 204, path: '/IconMenu', code: 'IconMenu', title: '应用中心', group: 'home', icon: 'AppstoreOutlined', order: 4, school_types: [1, 2] },
  { id: 301, path: '/SchoolRecord', code: 'SchoolRecord', title: '学校信息', group: 'archive', icon: 'BankOutlined', order: 1, school_types: [1, 2], need: 'school.info.view' },
])
