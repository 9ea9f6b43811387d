import type { RefusalWords } from '../en/refusals.ts';
import { counted } from './counted.ts';

export const zhRefusals: RefusalWords = {
  codes: {
    invalid_request: '服务无法按要求执行。没有更改任何内容。',
    invalid_json: '服务无法读取本页发送的内容。请重新加载本页后重试。',
    invalid_parameter: '服务不接受输入的内容。请检查后重试。',
    unsupported_parameter: '此模型不支持此聊天的某个参数。请清除它后重试。',
    context_length_exceeded: '此聊天超出了模型可读的长度。请开始新聊天，或选择上下文更大的模型。',
    invalid_api_key: '密钥无效。请创建新的密钥。',
    network_not_permitted: '您所在的网络不允许此操作。',
    sign_in_required: '您已退出登录。请登录后继续。',
    permission_denied: '您没有权限执行此操作。请询问本服务的管理员。',
    model_not_permitted: '您不能使用此模型。请选择其他模型。',
    foreign_origin: '本页属于之前的会话。请重新加载后重试。',
    not_found: '它已不存在。可能已被删除。',
    model_not_found: '此模型不再提供。请选择其他模型。',
    stream_not_kept: '此回答已不再保留。请重新提问。',
    method_not_allowed: '本页比服务旧。请重新加载后重试。',
    request_timeout: '发送时间过长。请检查您的连接后重试。',
    conflict: '这与期间发生的更改不一致。请重新加载本页后重试。',
    storage_full:
      '您的聊天和文档已占满您在这里的空间。请删除一些；已删除的内容在一天后彻底清除之前仍会计入。',
    request_too_large: '内容太大，无法发送。请缩短后重试。',
    unsupported_media_type: '服务无法读取本页发来的数据。请重新加载本页后重试。',
    insufficient_quota: '您的预算已用完，或剩余部分不足。用量页会说明何时更新以及谁可以提高。',
    project_ended: '此项目已结束。请选择其他项目，或请管理员延长。',
    rate_limit_exceeded: '一次请求太多了。',
    queue_full: '目前有太多人在等待此模型。',
    headers_too_large: '浏览器附带的内容太多。请删除本站点的 Cookie 后重新登录。',
    access_withdrawn: '运行期间您的访问权限被撤回。请询问本服务的管理员。',
    internal_error: '服务出了问题。请重试；如果仍然如此，请告知其管理者。',
    not_supported_by_engine: '此模型做不到。请选择其他模型。',
    engine_failed: '模型在回答时失败。请重试，或选择其他模型。',
    engine_unavailable: '模型暂时没有响应。请稍后重试，或选择其他模型。',
    usage_unwritable: '服务暂时无法记录用量，不接受提问。请稍后再试。',
    database_unavailable: '暂时无法连接数据库。没有丢失任何内容；请稍后重试。',
    service_overloaded: '服务暂时过载。请几秒后重试。',
    shutting_down: '服务正在重启。请一分钟后重试。',
    engine_timeout: '模型回答的时间过长。请重试，或选择其他模型。',
  },
  places: {
    answer: {
      invalid_request: '模型无法读取此聊天。请编辑最后一条消息，或选择其他模型。',
      invalid_parameter: '模型不接受此聊天的某个参数。请在“指令与参数”中更改。',
      request_too_large: '此聊天太大，无法发送。请开始新聊天。',
      rate_limit_exceeded: '已达到适用于您的限额。请稍后再试。用量页会说明您有哪些限额以及谁可以提高。',
      internal_error: '因服务出错，回答失败。请重新回答。',
    },
    'POST /console/sign-in/password': {
      sign_in_required: '电子邮件地址或密码不正确。请检查后重试。',
      permission_denied: '此账户无法在这里登录：它已停用或正在等待管理员。',
      rate_limit_exceeded: '登录失败次数过多。',
    },
    'POST /console/sign-in/link': {
      sign_in_required: '此登录链接已使用过或已过期。请索取新的链接。',
      permission_denied: '此账户无法在这里登录：它已停用或正在等待管理员。',
    },
    'POST /console/invitation/preview': {
      not_found: '此邀请已使用过、已撤回或已过期。请索取新的邀请。',
    },
    'POST /console/invitation/accept': {
      not_found: '此邀请已使用过、已撤回或已过期。请索取新的邀请。',
      conflict: '已有账户使用此电子邮件地址。',
    },
    'GET /console/chats/:chatId': { not_found: '没有这个聊天。可能已被删除。' },
    'GET /console/shared/:shareId': {
      not_found: '此链接已失效。请向分享者索取新的链接。',
    },
    'POST /console/generations': {
      conflict: '上面的回答仍在生成。请等待或先停止它。',
      rate_limit_exceeded: '您有太多回答正在生成。请等待或停止其中一个。',
    },
    'POST /console/generations/temporary': {
      rate_limit_exceeded: '您有太多回答正在生成。请等待或停止其中一个。',
    },
    'DELETE /console/chats/:chatId/messages/:messageId': {
      conflict: '回答仍在生成。请等待或先停止它。',
    },
    'POST /console/chats/import': {
      invalid_parameter: '此文件不是聊天导出，或其中一部分无法读取。没有导入任何内容。',
      invalid_request: '无法导入这些聊天：数量太多或已损坏。没有导入任何内容。',
      request_too_large: '此文件太大，无法导入。请每次少导出一些聊天。',
    },
    'POST /console/keys': {
      conflict: '您的密钥已达本服务允许的数量。请先吊销一个不再需要的。',
    },
    'POST /console/keys/:keyId/rotate': {
      conflict: '此密钥已被替换、吊销或已过期。请创建新的密钥。',
    },
    'PUT /console/projects/:projectId/members': {
      not_found: '这里没有人使用此电子邮件地址。请先邀请此人。',
    },
    'DELETE /console/projects/:projectId/members/:personId': {
      conflict: '此人通过登录提供方的群组成为成员。请在那里将其移出群组。',
    },
    'POST /console/administration/projects': {
      conflict: '已有使用此 ID 的项目。请另选一个。',
    },
    'PATCH /console/administration/projects/:projectId': {
      conflict: '此项目写在服务的设置文件中。请在那里更改。',
    },
    'PATCH /console/administration/appearance': {
      conflict: '这写在服务的设置文件中。请在那里更改。',
    },
    'DELETE /console/administration/people/:personId': {
      conflict: '请先停用账户。您不能移除自己。',
    },
    'PATCH /console/administration/people/:personId': {
      conflict: '您不能更改自己的权限。请其他管理员更改。',
    },
  },
  fields: {
    name: '请选择不为空且不太长的名称。',
    email: '请使用邀请所针对的电子邮件地址，并正确填写。',
    password: '请选择至少十个字符的密码。',
    next: '请选择至少十个字符的密码。',
    current: '当前密码不正确。',
    title: '请选择最多 200 个字符的名称。',
    networks: '有一个网络无法识别。请写成 192.0.2.0/24 或 2001:db8::/32 的形式，每行一个。',
    models: '其中一个模型这里不提供。',
    expiresAt: '本服务的密钥有效期不能这么长。请选择更早的过期时间。',
    content: '此消息太长。请缩短后重试。',
    systemPrompt: '指令太长。请缩短后重试。',
    id: 'ID 请使用小写字母、数字和短横线，例如 genomics。',
    weight: '权重是 0.01 到 1000 之间的数。',
    endsAt: '请选择将来的日期。',
    groups: '其中一个群组太长或无法识别。',
    description: '描述为一行，最多 500 个字符。',
    emails: '其中一个地址无法识别。没有邀请任何人。',
    limits: '限额是从 0 开始的数字；只有预算可以有小数。',
    parameters: '其中一个参数超出范围。请在“指令与参数”中更改。',
  },
  again: (seconds) =>
    seconds < 90
      ? counted(seconds, { other: '请在 # 秒后重试。' })
      : counted(Math.ceil(seconds / 60), { other: '请在 # 分钟后重试。' }),
};
