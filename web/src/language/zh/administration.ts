import type { enAdministration } from '../en/administration.ts';

/** The frame of the administration: the words of every page's title, and of the navigation. */
export const zhAdministration: typeof enAdministration = {
  sections: '栏目',
  groups: { service: '服务', people: '人员' },
  pages: {
    overview: { title: '概览', lead: '服务现在以及近来的状况。' },
    models: { title: '模型与引擎', lead: '提供什么，由谁提供。' },
    status: {
      title: '状态页',
      lead: '用文字说明的事件，以及大家查看模型状况的地方。',
    },
    presets: { title: '预设', lead: '大家在聊天中输入斜杠就能找到的提问方式。' },
    announcements: { title: '公告', lead: '大家都应知道的事。' },
    appearance: { title: '外观', lead: '您自己的名称、颜色和图片。' },
    settings: {
      title: '生效的设置',
      lead: '每项设置的值及其来源。在设置文件中更改。',
    },
    usage: { title: '用量', lead: '谁用了什么。日期按 UTC。' },
    projects: {
      title: '项目',
      lead: '共享模型、限额和预算的人，以及他们在服务中的份额。',
    },
    keys: { title: '密钥', lead: '所有人的 API 密钥。密钥内容不向任何人显示。' },
    audit: {
      title: '审计',
      lead: '谁对谁做了什么。记录只会增加，从不更改；每条都含有前一条的哈希。',
    },
    people: { title: '人员', lead: '谁可以进入。这里无法阅读任何人的聊天。' },
    invitations: {
      title: '邀请',
      lead: '每个链接让一人进入，也可以进入项目。',
    },
  },
};
