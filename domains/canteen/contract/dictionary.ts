import { dict } from '@kit/contract'

export const DISH_KIND = dict('DISH_KIND', { '1': '大荤', '2': '小荤', '3': '素菜', '4': '汤羹', '5': '主食', '6': '面点', '7': '水果', '8': '奶品', '9': '凉菜', '10': '风味小吃' })
export const ALLERGEN = dict('ALLERGEN', { '0': '无', '1': '含麸质谷物', '2': '甲壳纲类动物', '3': '鱼类', '4': '蛋类', '5': '花生', '6': '大豆', '7': '乳', '8': '坚果' })
export const DISH_TABOO = dict('DISH_TABOO', { '1': '清真', '2': '素食', '3': '不吃辣', '4': '不吃猪肉', '5': '不吃牛羊肉', '6': '糖尿病餐', '7': '忌生冷' })
export const MENU_STATE = dict('MENU_STATE', { '0': '草稿', '1': '已发布', '2': '已撤回' })
export const MEAL_KIND = dict('MEAL_KIND', { '1': '早餐', '2': '课间加餐', '3': '午餐', '4': '午点', '5': '晚餐', '6': '夜宵' })
export const crowd_types = { '1': '学生', '2': '教职工', '3': '全部' } as const
