import type { enPreviews } from '../en/previews.ts';

/** Documents in answers, opened beside the chat. */
export const zhPreviews: typeof enPreviews = {
  open: '在聊天旁打开',
  close: '关闭预览',
  titles: { html: '页面', svg: '绘图', csv: '表格', mermaid: '图示', vega: '图表' },
  save: '保存为文件',
  sealed: '已隔离：它无法访问网络、本页或您的账户。',
  loading: '正在绘制',
  failed: '无法加载绘制所需的内容。请检查您的连接后重新打开。',
};
