import type { RefusalWords } from '../en/refusals.ts';
import { counted } from './counted.ts';

export const itRefusals: RefusalWords = {
  codes: {
    invalid_request: 'Il servizio non ha potuto eseguire la richiesta. Nulla è stato modificato.',
    invalid_json:
      'Il servizio non è riuscito a leggere ciò che questa pagina ha inviato. Ricarichi la pagina e riprovi.',
    invalid_parameter: 'Il servizio non ha accettato i dati inseriti. Li controlli e riprovi.',
    unsupported_parameter:
      'Questo modello non supporta uno dei parametri di questa chat. Lo cancelli e riprovi.',
    context_length_exceeded:
      'Questa chat è più lunga di quanto il modello possa leggere. Ne inizi una nuova, o scelga un modello con un contesto più ampio.',
    invalid_api_key: 'La chiave non è valida. Ne crei una nuova.',
    network_not_permitted: 'Questo non è possibile dalla rete in cui si trova.',
    sign_in_required: 'La sessione è terminata. Acceda per continuare.',
    permission_denied: 'Non ha il permesso di farlo. Chieda a un amministratore di questo servizio.',
    model_not_permitted: 'Non può usare questo modello. Ne scelga un altro.',
    foreign_origin: 'Questa pagina appartiene a una sessione precedente. La ricarichi e riprovi.',
    not_found: 'Non esiste più. Forse è stato eliminato.',
    model_not_found: 'Questo modello non è più offerto. Ne scelga un altro.',
    stream_not_kept: 'Questa risposta non è più conservata. Chieda di nuovo.',
    method_not_allowed: 'Questa pagina è più vecchia del servizio. La ricarichi e riprovi.',
    request_timeout: 'L’invio ha richiesto troppo tempo. Controlli la connessione e riprovi.',
    conflict:
      'Nel frattempo qualcosa è cambiato e questo non è più possibile. Ricarichi la pagina e riprovi.',
    storage_full:
      'Le sue chat e i suoi documenti occupano tutto lo spazio che ha qui. Ne elimini qualcuno; ciò che elimina conta finché non sparisce del tutto, dopo un giorno.',
    request_too_large: 'È troppo grande per essere inviato. Lo accorci e riprovi.',
    unsupported_media_type:
      'Il servizio non è riuscito a leggere ciò che questa pagina ha inviato. Ricarichi la pagina e riprovi.',
    insufficient_quota:
      'Il suo budget è esaurito, o ciò che resta non basta. La pagina del consumo dice quando si rinnova e chi può aumentarlo.',
    project_ended:
      'Questo progetto è terminato. Ne scelga un altro, o chieda a un amministratore di prolungarlo.',
    rate_limit_exceeded: 'Troppe richieste in una volta.',
    queue_full: 'In questo momento troppe persone aspettano questo modello.',
    headers_too_large:
      'Il browser ha inviato troppi dati. Elimini i cookie di questo sito e acceda di nuovo.',
    access_withdrawn:
      'Il suo accesso è stato ritirato mentre l’operazione era in corso. Chieda a un amministratore di questo servizio.',
    internal_error:
      'Qualcosa nel servizio non ha funzionato. Riprovi; se il problema resta, avvisi chi lo gestisce.',
    not_supported_by_engine: 'Questo modello non è in grado di farlo. Ne scelga un altro.',
    engine_failed: 'Il modello ha avuto un errore durante la risposta. Riprovi, o ne scelga un altro.',
    engine_unavailable: 'Al momento il modello non risponde. Riprovi tra poco, o ne scelga un altro.',
    usage_unwritable:
      'Al momento il servizio non può registrare il consumo e non accetta domande. Riprovi più tardi.',
    database_unavailable:
      'Al momento il database non è raggiungibile. Nulla è andato perso; riprovi tra un momento.',
    service_overloaded: 'Al momento il servizio è sovraccarico. Riprovi tra qualche secondo.',
    shutting_down: 'Il servizio si sta riavviando. Riprovi tra un minuto.',
    engine_timeout: 'Il modello ha impiegato troppo tempo a rispondere. Riprovi, o ne scelga un altro.',
  },
  places: {
    answer: {
      invalid_request:
        'Il modello non è riuscito a leggere questa chat. Modifichi l’ultimo messaggio, o scelga un altro modello.',
      invalid_parameter:
        'Il modello non ha accettato un parametro di questa chat. Lo cambi in Istruzioni e parametri.',
      request_too_large: 'Questa chat è troppo grande per essere inviata. Ne inizi una nuova.',
      rate_limit_exceeded:
        'È stato raggiunto un limite che vale per lei. Riprovi tra un momento. La pagina del consumo dice quali limiti ha e chi può aumentarli.',
      internal_error: 'La risposta non è riuscita per un errore del servizio. Scelga «Rispondi di nuovo».',
    },
    'POST /console/sign-in/password': {
      sign_in_required: 'L’indirizzo e-mail o la password non sono corretti. Li controlli e riprovi.',
      permission_denied: 'Questo account non può accedere: è disattivato o in attesa di un amministratore.',
      rate_limit_exceeded: 'Troppi accessi non riusciti.',
    },
    'POST /console/sign-in/link': {
      sign_in_required: 'Questo link di accesso è già stato usato o è scaduto. Ne chieda uno nuovo.',
      permission_denied: 'Questo account non può accedere: è disattivato o in attesa di un amministratore.',
    },
    'POST /console/invitation/preview': {
      not_found: 'Questo invito è già stato usato, è stato ritirato o è scaduto. Ne chieda uno nuovo.',
    },
    'POST /console/invitation/accept': {
      not_found: 'Questo invito è già stato usato, è stato ritirato o è scaduto. Ne chieda uno nuovo.',
      conflict: 'Esiste già un account con questo indirizzo e-mail.',
    },
    'GET /console/chats/:chatId': { not_found: 'Questa chat non esiste. Forse è stata eliminata.' },
    'GET /console/shared/:shareId': {
      not_found: 'Questo link non funziona più. Ne chieda uno nuovo a chi l’ha condiviso.',
    },
    'POST /console/generations': {
      conflict: 'La risposta qui sopra è ancora in corso. La attenda o la interrompa.',
      rate_limit_exceeded: 'Troppe sue risposte sono in corso. Ne attenda una, o ne interrompa una.',
    },
    'POST /console/generations/temporary': {
      rate_limit_exceeded: 'Troppe sue risposte sono in corso. Ne attenda una, o ne interrompa una.',
    },
    'DELETE /console/chats/:chatId/messages/:messageId': {
      conflict: 'La risposta è ancora in corso. La attenda o la interrompa.',
    },
    'POST /console/chats/import': {
      invalid_parameter:
        'Questo file non è un’esportazione di chat, o una sua parte è illeggibile. Nulla è stato importato.',
      invalid_request:
        'Queste chat non possono essere importate: sono troppe, o danneggiate. Nulla è stato importato.',
      request_too_large: 'Questo file è troppo grande per essere importato. Esporti meno chat alla volta.',
    },
    'POST /console/keys': {
      conflict:
        'Ha già tutte le chiavi che questo servizio consente. Prima ne revochi una che non le serve più.',
    },
    'POST /console/keys/:keyId/rotate': {
      conflict: 'Questa chiave è già stata sostituita, revocata o è scaduta. Ne crei una nuova.',
    },
    'PUT /console/projects/:projectId/members': {
      not_found: 'Nessuno qui ha questo indirizzo e-mail. Prima inviti la persona.',
    },
    'DELETE /console/projects/:projectId/members/:personId': {
      conflict: 'È membro tramite un gruppo del provider di accesso. La tolga dal gruppo lì.',
    },
    'POST /console/administration/projects': {
      conflict: 'Esiste già un progetto con questo id. Ne scelga un altro.',
    },
    'PATCH /console/administration/projects/:projectId': {
      conflict: 'Questo progetto è scritto nel file delle impostazioni del servizio. Lo modifichi lì.',
    },
    'PATCH /console/administration/appearance': {
      conflict: 'Questo è scritto nel file delle impostazioni del servizio. Lo modifichi lì.',
    },
    'DELETE /console/administration/people/:personId': {
      conflict: 'Prima disattivi l’account. Non può rimuovere il proprio account.',
    },
    'PATCH /console/administration/people/:personId': {
      conflict: 'Non può modificare il proprio accesso. Chieda a un altro amministratore.',
    },
  },
  fields: {
    name: 'Scelga un nome non vuoto e non troppo lungo.',
    email: 'Usi l’indirizzo e-mail a cui è destinato l’invito, scritto correttamente.',
    password: 'Scelga una password di almeno dieci caratteri.',
    next: 'Scelga una password di almeno dieci caratteri.',
    current: 'La password attuale non è corretta.',
    title: 'Scelga un nome di al massimo 200 caratteri.',
    networks: 'Una delle reti è illeggibile. Le scriva come 192.0.2.0/24 o 2001:db8::/32, una per riga.',
    models: 'Uno dei modelli non è offerto qui.',
    expiresAt:
      'Le chiavi di questo servizio non possono durare così a lungo. Scelga una scadenza più vicina.',
    content: 'Questo messaggio è troppo lungo. Lo accorci e riprovi.',
    systemPrompt: 'Le istruzioni sono troppo lunghe. Le accorci e riprovi.',
    id: 'Per l’id usi lettere minuscole, cifre e trattini, per esempio genomica.',
    weight: 'Il peso è un numero da 0,01 a 1000.',
    endsAt: 'Scelga un giorno futuro.',
    groups: 'Uno dei gruppi è troppo lungo o illeggibile.',
    description: 'La descrizione è una riga di al massimo 500 caratteri.',
    emails: 'Uno degli indirizzi è illeggibile. Nessuno è stato invitato.',
    limits: 'I limiti sono numeri da 0 in su; solo i budget possono avere decimali.',
    parameters: 'Uno dei parametri è fuori dai limiti. Lo cambi in Istruzioni e parametri.',
  },
  again: (seconds) =>
    seconds < 90
      ? counted(seconds, { one: 'Riprovi tra un secondo.', other: 'Riprovi tra # secondi.' })
      : counted(Math.ceil(seconds / 60), {
          one: 'Riprovi tra un minuto.',
          other: 'Riprovi tra # minuti.',
        }),
};
