import type { enAppearance } from '../en/appearance.ts';

/** Administration, Appearance. */
export const zhAppearance: typeof enAppearance = {
  words: '名称与文字',
  name: '名称',
  nameHint: '用于侧边栏、登录页、标题和状态页。',
  lead: '登录页名称下方的一行字',
  help: '登录表单下方的文字',
  usual: '留空：使用惯用文字。',
  save: '保存',
  saved: '已保存',
  colour: '颜色',
  colourLead: '用于可操作元素的一种颜色。会为两种主题生成可读的深浅，因此显示的颜色可能比所选的更深或更浅。',
  chosen: '所选颜色',
  own: '使用默认颜色',
  light: '浅色主题',
  dark: '深色主题',
  sample: '示例',
  sampleLink: '一个链接',
  adapted: '为便于阅读而调整',
  asChosen: '与所选一致',
  logo: '徽标',
  logoLead: '最大 1024 × 1024 点的 PNG，或由形状和渐变组成的 SVG；最大 128 KB。它将取代拱门。',
  choose: '选择图片',
  remove: '移除徽标',
  notAPicture: '请选择不超过 128 KB 的 PNG 或 SVG 文件。',
  refused:
    '无法使用这张图片：它已损坏、太大，或者是含有形状和渐变以外内容（脚本、样式、链接、文字、图片）的 SVG。',
};
