import type { RefusalWords } from '../en/refusals.ts';
import { counted } from './counted.ts';

export const esRefusals: RefusalWords = {
  codes: {
    invalid_request: 'El servicio no pudo hacer lo que se pidió. No se cambió nada.',
    invalid_json:
      'El servicio no pudo leer lo que envió esta página. Recargue la página y vuelva a intentarlo.',
    invalid_parameter: 'El servicio no aceptó lo introducido. Revíselo y vuelva a intentarlo.',
    unsupported_parameter:
      'Este modelo no admite uno de los parámetros de este chat. Bórrelo y vuelva a intentarlo.',
    context_length_exceeded:
      'Este chat es más largo de lo que el modelo puede leer. Empiece uno nuevo, o elija un modelo con más contexto.',
    invalid_api_key: 'La clave no es válida. Cree una nueva.',
    network_not_permitted: 'Esto no es posible desde la red en la que está.',
    sign_in_required: 'Su sesión está cerrada. Inicie sesión para seguir.',
    permission_denied: 'No tiene permiso para hacer esto. Pregunte a un administrador de este servicio.',
    model_not_permitted: 'No puede usar este modelo. Elija otro.',
    foreign_origin: 'Esta página es de una sesión anterior. Recárguela y vuelva a intentarlo.',
    not_found: 'Ya no existe. Puede que se haya eliminado.',
    model_not_found: 'Este modelo ya no se ofrece. Elija otro.',
    stream_not_kept: 'Esta respuesta ya no se conserva. Pregunte de nuevo.',
    method_not_allowed: 'Esta página es más antigua que el servicio. Recárguela y vuelva a intentarlo.',
    request_timeout: 'El envío tardó demasiado. Compruebe su conexión y vuelva a intentarlo.',
    conflict: 'Esto no encaja con lo que cambió entretanto. Recargue la página y vuelva a intentarlo.',
    storage_full:
      'Sus chats y documentos ocupan todo el espacio que tiene aquí. Elimine algunos; lo eliminado cuenta hasta que desaparece del todo, al cabo de un día.',
    request_too_large: 'Es demasiado grande para enviarlo. Acórtelo y vuelva a intentarlo.',
    unsupported_media_type:
      'El servicio no pudo leer el envío de esta página. Recargue la página y vuelva a intentarlo.',
    insufficient_quota:
      'Su presupuesto está agotado, o lo que queda no alcanza. La página de consumo dice cuándo se renueva y quién puede subirlo.',
    project_ended: 'Este proyecto ha terminado. Elija otro, o pida a un administrador que lo prolongue.',
    rate_limit_exceeded: 'Fue demasiado a la vez.',
    queue_full: 'Demasiadas personas esperan este modelo ahora mismo.',
    headers_too_large:
      'El navegador envió demasiado. Elimine las cookies de este sitio e inicie sesión de nuevo.',
    access_withdrawn:
      'Se le retiró el acceso mientras esto estaba en marcha. Pregunte a un administrador de este servicio.',
    internal_error: 'Algo falló en el servicio. Vuelva a intentarlo; si persiste, avise a quienes lo llevan.',
    not_supported_by_engine: 'Este modelo no sabe hacer esto. Elija otro.',
    engine_failed: 'El modelo falló al responder. Vuelva a intentarlo, o elija otro.',
    engine_unavailable: 'El modelo no responde en este momento. Inténtelo pronto de nuevo, o elija otro.',
    usage_unwritable:
      'El servicio no puede anotar el consumo en este momento y no admite preguntas. Inténtelo más tarde.',
    database_unavailable:
      'No se puede acceder a la base de datos en este momento. No se ha perdido nada; inténtelo en un momento.',
    service_overloaded: 'El servicio está sobrecargado en este momento. Inténtelo dentro de unos segundos.',
    shutting_down: 'El servicio se está reiniciando. Inténtelo dentro de un minuto.',
    engine_timeout: 'El modelo tardó demasiado en responder. Vuelva a intentarlo, o elija otro.',
  },
  places: {
    answer: {
      invalid_request: 'El modelo no pudo leer este chat. Edite el último mensaje, o elija otro modelo.',
      invalid_parameter:
        'El modelo no aceptó un parámetro de este chat. Cámbielo en Instrucciones y parámetros.',
      request_too_large: 'Este chat es demasiado grande para enviarlo. Empiece uno nuevo.',
      rate_limit_exceeded:
        'Se ha alcanzado un límite que se le aplica. Inténtelo de nuevo en un momento. La página de consumo dice qué límites tiene y quién puede subirlos.',
      internal_error: 'La respuesta falló por un error del servicio. Responda de nuevo.',
    },
    'POST /console/sign-in/password': {
      sign_in_required: 'El correo o la contraseña no son correctos. Revise ambos y vuelva a intentarlo.',
      permission_denied:
        'Esta cuenta no puede iniciar sesión aquí: está desactivada o espera a un administrador.',
      rate_limit_exceeded: 'Demasiados inicios de sesión fallidos.',
    },
    'POST /console/sign-in/link': {
      sign_in_required: 'Este enlace ya se usó o ha caducado. Pida uno nuevo.',
      permission_denied:
        'Esta cuenta no puede iniciar sesión aquí: está desactivada o espera a un administrador.',
    },
    'POST /console/invitation/preview': {
      not_found: 'Esta invitación ya se usó, se retiró o ha caducado. Pida una nueva.',
    },
    'POST /console/invitation/accept': {
      not_found: 'Esta invitación ya se usó, se retiró o ha caducado. Pida una nueva.',
      conflict: 'Ya existe una cuenta con este correo electrónico.',
    },
    'GET /console/chats/:chatId': { not_found: 'No existe ese chat. Puede que se haya eliminado.' },
    'GET /console/shared/:shareId': {
      not_found: 'Este enlace ya no funciona. Pida uno nuevo a quien lo compartió.',
    },
    'POST /console/generations': {
      conflict: 'La respuesta de arriba aún se está escribiendo. Espérela o deténgala primero.',
      rate_limit_exceeded: 'Se están escribiendo demasiadas respuestas suyas. Espere una, o detenga una.',
    },
    'POST /console/generations/temporary': {
      rate_limit_exceeded: 'Se están escribiendo demasiadas respuestas suyas. Espere una, o detenga una.',
    },
    'DELETE /console/chats/:chatId/messages/:messageId': {
      conflict: 'La respuesta aún se está escribiendo. Espérela o deténgala primero.',
    },
    'POST /console/chats/import': {
      invalid_parameter:
        'Este archivo no es una exportación de chats, o una parte no se puede leer. No se importó nada.',
      invalid_request:
        'Estos chats no se pueden importar: son demasiados, o están dañados. No se importó nada.',
      request_too_large: 'Este archivo es demasiado grande para importarlo. Exporte menos chats cada vez.',
    },
    'POST /console/keys': {
      conflict: 'Tiene tantas claves como permite este servicio. Revoque antes una que ya no necesite.',
    },
    'POST /console/keys/:keyId/rotate': {
      conflict: 'Esta clave ya se reemplazó, se revocó o ha caducado. Cree una nueva.',
    },
    'PUT /console/projects/:projectId/members': {
      not_found: 'Nadie aquí tiene este correo. Invite primero a la persona.',
    },
    'DELETE /console/projects/:projectId/members/:personId': {
      conflict: 'Es miembro por un grupo del proveedor de identidad. Retírela del grupo allí.',
    },
    'POST /console/administration/projects': {
      conflict: 'Ya hay un proyecto con este id. Elija otro.',
    },
    'PATCH /console/administration/projects/:projectId': {
      conflict: 'Este proyecto está en el archivo de configuración del servicio. Cámbielo allí.',
    },
    'PATCH /console/administration/appearance': {
      conflict: 'Esto está en el archivo de configuración del servicio. Cámbielo allí.',
    },
    'DELETE /console/administration/people/:personId': {
      conflict: 'Desactive antes la cuenta. No puede eliminarse a sí mismo.',
    },
    'PATCH /console/administration/people/:personId': {
      conflict: 'No puede cambiar su propio acceso. Pídaselo a otro administrador.',
    },
  },
  fields: {
    name: 'Elija un nombre que no esté vacío ni sea demasiado largo.',
    email: 'Use el correo para el que es la invitación, bien escrito.',
    password: 'Elija una contraseña de al menos diez caracteres.',
    next: 'Elija una contraseña de al menos diez caracteres.',
    current: 'La contraseña actual no es correcta.',
    title: 'Elija un nombre de 200 caracteres como máximo.',
    networks:
      'Una de las redes no se puede leer. Escríbalas como 192.0.2.0/24 o 2001:db8::/32, una por línea.',
    models: 'Uno de los modelos no se sirve aquí.',
    expiresAt: 'Las claves de este servicio no pueden durar tanto. Elija una caducidad más próxima.',
    content: 'Este mensaje es demasiado largo. Acórtelo y vuelva a intentarlo.',
    systemPrompt: 'Las instrucciones son demasiado largas. Acórtelas y vuelva a intentarlo.',
    id: 'Use minúsculas, cifras y guiones para el id, por ejemplo genomica.',
    weight: 'El peso es un número de 0,01 a 1000.',
    endsAt: 'Elija un día futuro.',
    groups: 'Uno de los grupos es demasiado largo o no se puede leer.',
    description: 'La descripción es una línea de 500 caracteres como máximo.',
    emails: 'Una de las direcciones no se puede leer. No se invitó a nadie.',
    limits: 'Los límites son números desde 0; solo los presupuestos pueden llevar decimales.',
    parameters: 'Uno de los parámetros está fuera de rango. Cámbielo en Instrucciones y parámetros.',
  },
  again: (seconds) =>
    seconds < 90
      ? counted(seconds, { one: 'Inténtelo dentro de un segundo.', other: 'Inténtelo dentro de # segundos.' })
      : counted(Math.ceil(seconds / 60), {
          one: 'Inténtelo dentro de un minuto.',
          other: 'Inténtelo dentro de # minutos.',
        }),
};
