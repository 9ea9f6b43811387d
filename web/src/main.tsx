import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { watchHistory } from './app/came-back.ts';
import { fetchRememberedLanguage } from './language/language.tsx';
import { openToldChats } from './notify/open-told-chats.ts';
import './design/app.css';

const place = document.getElementById('root');
if (place === null) throw new Error('index.html holds the place for the app.');
watchHistory();
openToldChats();
fetchRememberedLanguage();
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
