import { routes } from '@kit/contract'

/** Console routes of the audit domain. */
export const auditRoutes = routes([
  {
    id: 1504, path: '/SystemLog', code: 'SystemLog', title: '系统操作日志',
    group: 'system', icon: 'FileSearchOutlined', order: 4, family: { name: '操作日志', tab: '系统操作日志' },
    school_types: [1, 2], need: 'audit.system.view',
  },
  {
    id: 1505, path: '/ArchiveLog', code: 'ArchiveLog', title: '档案操作日志',
    group: 'system', icon: 'FileSearchOutlined', order: 5, family: { name: '操作日志', tab: '档案操作日志' },
    school_types: [1, 2], need: 'audit.archive.view',
  },
])
