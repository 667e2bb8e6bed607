// Shows every curve's value nearest to the pointer.
(() => {
  const tip = document.createElement('div');
  tip.id = 'tip';
  document.body.append(tip);
  for (const svg of document.querySelectorAll('figure svg')) {
    const curves = [...svg.querySelectorAll('[data-tips]')].filter(path => path.dataset.tips).map(path => ({
      name: path.dataset.name,
      xs: path.getAttribute('d').slice(1).split(/[ML]/).map(point => parseFloat(point)),
      tips: path.dataset.tips.split('|').map(text => text.split('~')),
    }));
    if (!curves.length) continue;
    svg.addEventListener('pointermove', event => {
      const x = (event.clientX - svg.getBoundingClientRect().left) * svg.viewBox.baseVal.width / svg.clientWidth;
      const nearest = curves.map(curve => curve.xs.reduce((best, at, i) => Math.abs(at - x) < Math.abs(curve.xs[best] - x) ? i : best, 0));
      tip.textContent = curves[0].tips[nearest[0]][0] + curves.map((curve, c) => '\n' + curve.name + '  ' + curve.tips[nearest[c]][1]).join('');
      tip.style.display = 'block';
      tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
      tip.style.top = Math.max(8, event.clientY - tip.offsetHeight - 12) + 'px';
    });
    svg.addEventListener('pointerleave', () => { tip.style.display = 'none'; });
  }
})();
