import { routes } from '@kit/contract'

/** Console routes of the publishing domain; variants of one thing are one page. */
export const publishingRoutes = routes([
  {
    id: 1001, path: '/Information', code: 'Information', family: { name: '信息收集', tab: '新版' }, title: '信息收集', group: 'information', icon: 'FormOutlined', order: 1,
    school_types: [1, 2], need: 'publishing.information.view',
  },
  {
    id: 1002, path: '/Information/crowd', code: 'Information_crowd', title: '通知人群管理', group: 'information', icon: 'TeamOutlined', order: 2,
    school_types: [1, 2], need: 'publishing.crowd.view',
  },
  {
    id: 1003, path: '/Information/user', code: 'Information_user', title: '通知人群成员', group: 'information', icon: 'UserOutlined', order: 3, hidden: true, active_menu: '/Information/crowd',
    school_types: [1, 2], need: 'publishing.crowd.view',
  },
  {
    id: 1004, path: '/InformationDetail', code: 'InformationDetail', title: '信息收集详情', group: 'information', icon: 'FileTextOutlined', order: 4, hidden: true, active_menu: '/Information',
    school_types: [1, 2], need: 'publishing.information.view',
  },
  {
    id: 1005, path: '/AddInformation', code: 'AddInformation', title: '新建信息收集', group: 'information', icon: 'PlusOutlined', order: 5, hidden: true, active_menu: '/Information',
    school_types: [1, 2], need: 'publishing.information.edit',
  },
  {
    id: 1006, path: '/InformationBefore', code: 'InformationBefore', family: { name: '信息收集', tab: '旧版' }, title: '信息收集(旧版)', group: 'information', icon: 'FormOutlined', order: 6,
    school_types: [1, 2], need: 'publishing.information.view',
  },
  {
    id: 1007, path: '/InformationDetailBefore', code: 'InformationDetailBefore', title: '信息收集详情(旧版)', group: 'information', icon: 'FileTextOutlined', order: 7, hidden: true, active_menu: '/InformationBefore',
    school_types: [1, 2], need: 'publishing.information.view',
  },
  {
    id: 1008, path: '/AddInformationBefore', code: 'AddInformationBefore', title: '新建信息收集(旧版)', group: 'information', icon: 'PlusOutlined', order: 8, hidden: true, active_menu: '/InformationBefore',
    school_types: [1, 2], need: 'publishing.information.edit',
  },
  {
    id: 1011, path: '/CustomNotice', code: 'CustomNotice', family: { name: '通知', tab: '学生家长' }, title: '学生家长通知', group: 'information', icon: 'BellOutlined', order: 11,
    school_types: [1], need: 'publishing.notice.view',
  },
  {
    id: 1012, path: '/NoticeDetail', code: 'NoticeDetail', title: '通知详情', group: 'information', icon: 'FileTextOutlined', order: 12, hidden: true, active_menu: '/CustomNotice',
    school_types: [1], need: 'publishing.notice.view',
  },
  {
    id: 1013, path: '/AddNotice', code: 'AddNotice', title: '新建通知', group: 'information', icon: 'PlusOutlined', order: 13, hidden: true, active_menu: '/CustomNotice',
    school_types: [1], need: 'publishing.notice.edit',
  },
  {
    id: 1014, path: '/CustomDetail', code: 'CustomDetail', title: '通知统计详情', group: 'information', icon: 'BarChartOutlined', order: 14, hidden: true, active_menu: '/CustomNotice',
    school_types: [1], need: 'publishing.notice.view',
  },
  {
    id: 1015, path: '/CustomNoticeTeacher', code: 'CustomNoticeTeacher', family: { name: '通知', tab: '教职工' }, title: '教职工通知', group: 'information', icon: 'BellOutlined', order: 15,
    school_types: [1, 2], need: 'publishing.notice.view',
  },
  {
    id: 1016, path: '/NoticeDetailTeacher', code: 'NoticeDetailTeacher', title: '教职工通知详情', group: 'information', icon: 'FileTextOutlined', order: 16, hidden: true, active_menu: '/CustomNoticeTeacher',
    school_types: [1, 2], need: 'publishing.notice.view',
  },
  {
    id: 1017, path: '/AddNoticeTeacher', code: 'AddNoticeTeacher', title: '新建教职工通知', group: 'information', icon: 'PlusOutlined', order: 17, hidden: true, active_menu: '/CustomNoticeTeacher',
    school_types: [1, 2], need: 'publishing.notice.edit',
  },
  {
    id: 1018, path: '/CustomDetailTeacher', code: 'CustomDetailTeacher', title: '教职工通知统计详情', group: 'information', icon: 'BarChartOutlined', order: 18, hidden: true, active_menu: '/CustomNoticeTeacher',
    school_types: [1, 2], need: 'publishing.notice.view',
  },
  {
    id: 1019, path: '/ClassHonour', code: 'ClassHonour', family: { name: '荣誉', tab: '班级荣誉' }, title: '班级荣誉', group: 'information', icon: 'TrophyOutlined', order: 19,
    school_types: [1], need: 'publishing.honour.view',
  },
  {
    id: 1020, path: '/AddHonour', code: 'AddHonour', title: '新增班级荣誉', group: 'information', icon: 'PlusOutlined', order: 20, hidden: true, active_menu: '/ClassHonour',
    school_types: [1], need: 'publishing.honour.view',
  },
  {
    id: 1021, path: '/DeptHonor', code: 'DeptHonor', family: { name: '荣誉', tab: '部门荣誉' }, title: '部门荣誉', group: 'information', icon: 'CrownOutlined', order: 21,
    school_types: [1, 2], need: 'publishing.honour.view',
  },
  {
    id: 1022, path: '/AddDeptHonor', code: 'AddDeptHonor', title: '新增部门荣誉', group: 'information', icon: 'PlusOutlined', order: 22, hidden: true, active_menu: '/DeptHonor',
    school_types: [1, 2], need: 'publishing.honour.view',
  },
  {
    id: 1101, path: '/ResourcePic', code: 'ResourcePic', family: { name: '资源库', tab: '图片' }, title: '图片库', group: 'resource', icon: 'PictureOutlined', order: 1,
    school_types: [1, 2], need: 'publishing.resource.view',
  },
  {
    id: 1102, path: '/PicListDetail', code: 'PicListDetail', title: '图片列表', group: 'resource', icon: 'FileImageOutlined', order: 2, hidden: true, active_menu: '/ResourcePic',
    school_types: [1, 2], need: 'publishing.resource.view',
  },
  {
    id: 1103, path: '/ResourceVideo', code: 'ResourceVideo', family: { name: '资源库', tab: '视频' }, title: '视频库', group: 'resource', icon: 'PlayCircleOutlined', order: 3,
    school_types: [1, 2], need: 'publishing.resource.view',
  },
  {
    id: 1104, path: '/VideoListDetail', code: 'VideoListDetail', title: '视频列表', group: 'resource', icon: 'VideoCameraOutlined', order: 4, hidden: true, active_menu: '/ResourceVideo',
    school_types: [1, 2], need: 'publishing.resource.view',
  },
  {
    id: 1105, path: '/ResourceWord', code: 'ResourceWord', family: { name: '资源库', tab: '文档' }, title: '文档库', group: 'resource', icon: 'FileWordOutlined', order: 5,
    school_types: [1, 2], need: 'publishing.resource.view',
  },
  {
    id: 1106, path: '/WordListDetail', code: 'WordListDetail', title: '文档列表', group: 'resource', icon: 'FileTextOutlined', order: 6, hidden: true, active_menu: '/ResourceWord',
    school_types: [1, 2], need: 'publishing.resource.view',
  },
  {
    id: 1107, path: '/WordDetail', code: 'WordDetail', title: '文档详情', group: 'resource', icon: 'FileTextOutlined', order: 7, hidden: true, active_menu: '/ResourceWord',
    school_types: [1, 2], need: 'publishing.resource.view',
  },
  {
    id: 1108, path: '/UploadWord', code: 'UploadWord', title: '上传文档', group: 'resource', icon: 'UploadOutlined', order: 8, hidden: true, active_menu: '/ResourceWord',
    school_types: [1, 2], need: 'publishing.resource.view',
  },
  {
    id: 1109, path: '/ResourceManage', code: 'ResourceManage', title: '教育资源管理', group: 'resource', icon: 'FolderOutlined', order: 9,
    school_types: [1, 2], need: 'publishing.resource.view',
  },
  {
    id: 1318, path: '/Inform', code: 'Inform', title: '通知统计', group: 'statistics', icon: 'NotificationOutlined', order: 18,
    school_types: [1, 2], need: 'publishing.inform.view',
  },
  {
    id: 1319, path: '/HomeWork', code: 'HomeWork', title: '作业统计', group: 'statistics', icon: 'BookOutlined', order: 19,
    school_types: [1], need: 'publishing.homework.view',
  },
  { id: 610, path: '/TemplateManage', code: 'TemplateManage', title: '班牌模板管理', group: 'device', icon: 'LayoutOutlined', order: 10, school_types: [1], need: 'publishing.template.view' },
  { id: 611, path: '/ClassManage', code: 'ClassManage', title: '班牌管理', group: 'device', icon: 'DesktopOutlined', order: 11, school_types: [1], need: 'publishing.board.view' },
  { id: 612, path: '/ContentSetting', code: 'ContentSetting', title: '班牌内容设置', group: 'device', icon: 'ProfileOutlined', order: 12, school_types: [1], need: 'publishing.content.view' },
  { id: 613, path: '/PlayRuleSetting', code: 'PlayRuleSetting', title: '播放规则设置', group: 'device', icon: 'PlaySquareOutlined', order: 13, school_types: [1, 2], need: 'publishing.rule.view' },
  { id: 615, path: '/FlipCountdown', code: 'FlipCountdown', title: '倒计时设置', group: 'device', icon: 'FieldTimeOutlined', order: 15, school_types: [1, 2], need: 'publishing.content.view' },
])
