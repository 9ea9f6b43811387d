import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnProject, ProjectStanding } from '#contract/projects';
import { budgetAlarm } from './budget-alarm.ts';

const project = (id: string, models: string[] = []): OwnProject => ({
  id,
  name: id,
  description: '',
  weight: 1,
  models,
  endsAt: null,
  role: 'member',
  leads: [],
});
const line = (over: Partial<ProjectStanding>): ProjectStanding => ({
  scope: 'person',
  keyId: null,
  projectId: null,
  modelId: null,
  limit: 'costPerDay',
  amount: 100,
  used: 0,
  left: 0,
  renewsAt: 1,
  ...over,
});
const projects = [project('everyone', ['small']), project('course'), project('other')];
const alarmOf = (model: string, ...standing: ProjectStanding[]) => {
  const alarm = budgetAlarm({ projects, standing }, model);
  return alarm === undefined ? undefined : [alarm.threshold, alarm.budget.projectId ?? alarm.budget.scope];
};

test('the budget that is used most is told from 80 % on, and only what the next question would use', () => {
  assert.equal(alarmOf('small', line({ used: 79.9 })), undefined);
  assert.deepEqual(alarmOf('small', line({ used: 80 })), [80, 'person']);
  const ofCourse = line({ scope: 'project', projectId: 'course', used: 100 });
  assert.deepEqual(alarmOf('small', line({ used: 90 }), ofCourse), [80, 'person']);
  assert.deepEqual(alarmOf('large', line({ used: 90 }), ofCourse), [100, 'course']);
  const ofOther = line({ scope: 'project', projectId: 'other', used: 100 });
  assert.equal(alarmOf('large', ofOther), undefined);
  const inside = budgetAlarm({ projects, standing: [ofCourse, ofOther] }, 'large', 'other');
  assert.equal(inside?.budget.projectId, 'other', 'the project of the space pays');
  assert.equal(alarmOf('large', line({ modelId: 'small', used: 100 })), undefined);
  assert.equal(alarmOf('small', line({ scope: 'key', keyId: 'k', used: 100 })), undefined);
  assert.equal(alarmOf('small', line({ limit: 'requestsPerMinute', used: 100 })), undefined);
  assert.deepEqual(alarmOf('small', line({ amount: 0 })), [100, 'person'], 'a budget of nothing is used up');
});
