import type { enActivity } from '../en/activity.ts';
import { counted } from './counted.ts';

const methods: Readonly<Record<string, string>> = {
  password: '密码',
  link: '一次性链接',
  invitation: '邀请',
};

/** What happened to an account, in words: Settings, Account, Activity, and the notices in the chat. */
export const zhActivity: typeof enActivity = {
  title: '活动',
  lead: '您的账户发生过什么、何时、从哪里。记录只会增加，从不更改。',
  none: '还没有记录',
  notYou: '如果其中有不是您本人的操作，请在“设备”中退出所有登录，更改密码，并告知本服务的管理者。',
  by: {
    person: (name) => `由 ${name ?? '某位已离开的人'}`,
    stranger: '由未登录的人',
    command: (name) => `在命令行，由 ${name ?? '运维人员'}`,
    provider: (name) => `由 ${name ?? '某个登录提供方'}`,
    service: '由本服务',
  },
  notice: '关于您的账户',
  more: (count) => counted(count, { other: '还有 # 条' }),
  show: '查看活动',
  seen: '我知道了',
  happened: (kind, detail, roles): string => {
    const name = String(detail['name'] ?? '');
    const provider = String(detail['provider'] ?? '');
    const project = String(detail['project'] ?? '');
    const method = String(detail['method'] ?? '');
    const attempts = Number(detail['attempts'] ?? 1);
    const sentences: Readonly<Record<string, string>> = {
      'sign-in':
        detail['linkMadeBy'] === undefined
          ? `使用${methods[method] ?? method}登录`
          : `使用由 ${String(detail['linkMadeBy'])} 创建的链接登录`,
      'sign-in-failed': counted(attempts, { other: '# 次登录失败' }),
      'sign-out': '已退出',
      'password-changed': '密码已更改',
      'sign-in-link-created': '已为您的账户创建登录链接',
      'provider-connected': `已连接 ${provider}`,
      'provider-disconnected': `已断开 ${provider}`,
      'key-created': `已创建 API 密钥“${name}”`,
      'key-rotated': `已轮换 API 密钥“${name}”`,
      'key-revoked': `已吊销 API 密钥“${name}”`,
      'person-created': '账户已创建',
      'person-enabled': '账户已启用',
      'person-disabled': '账户已停用',
      'person-withdrawn': '被您的登录提供方移除',
      'person-exported': detail['part'] === 'chats' ? '您的聊天已被导出' : '关于您账户的数据已被导出',
      'person-restored': '被您的登录提供方重新准入',
      'role-changed': `角色已改为${roles[String(detail['to'])] ?? String(detail['to'])}`,
      'invitation-used': '已接受邀请',
      'project-member-added':
        detail['role'] === 'lead' ? `已作为负责人加入项目 ${project}` : `已加入项目 ${project}`,
      'project-member-removed': `已移出项目 ${project}`,
      'space-chat-withdrawn': `您在项目 ${project} 中分享的聊天已被撤回`,
      'limits-changed': '您的限额已更改',
    };
    return sentences[kind] ?? kind;
  },
};
