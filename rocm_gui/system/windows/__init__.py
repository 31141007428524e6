"""Windows only: registry, CIM, DXGI, volumes. Modules import on every system; the real readers need Windows."""
