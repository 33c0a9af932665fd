import { routes } from '@kit/contract'

/** Console routes of the faces domain; the three lists are one family. */
export const facesRoutes = routes([
  {
    id: 421, path: '/FaceManagement', code: 'FaceManagement', family: { name: '人脸管理', tab: '学生' }, title: '学生人脸管理', group: 'archive', icon: 'SmileOutlined', order: 41, school_types: [1], need: 'faces.face.view',
  },
  {
    id: 422, path: '/TeacherFace', code: 'TeacherFace', family: { name: '人脸管理', tab: '教职工' }, title: '教职工人脸管理', group: 'archive', icon: 'SmileOutlined', order: 42, school_types: [1, 2], need: 'faces.face.view',
  },
  {
    id: 423, path: '/ParentFace', code: 'ParentFace', family: { name: '人脸管理', tab: '家长' }, title: '家长人脸管理', group: 'archive', icon: 'SmileOutlined', order: 43, school_types: [1], need: 'faces.face.view',
  },
])
